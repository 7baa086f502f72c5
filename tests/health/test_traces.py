"""Spans of model calls, by the GenAI conventions; what was said is in them only where somebody asked for it."""

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import responses
from django.core.exceptions import ImproperlyConfigured
from django_tasks.signals import task_finished
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode
from pytest_django import Settings

from backoffice.health import tracing, watching
from backoffice.health.messages import input_message
from backoffice.health.tracing import exporting_provider, tracing_observer
from backoffice.llm import observing
from backoffice.llm.client import ModelConfig, close_clients, model_config
from backoffice.llm.observing import observe, unobserve
from backoffice.llm.scripted import Options, ScriptedModel
from backoffice.llm.scripted.faults import parse_faults
from backoffice.llm.scripted.script import Script
from backoffice.llm.streaming import ModelRequest, ModelStream, complete
from summarizer.rows import summarise
from tests.llm.streams import Player, chunk

HELLO = ModelRequest([{"role": "user", "content": "Hello from Ms Ferreira."}], 50)
Trace = Callable[..., InMemorySpanExporter]


@pytest.fixture
def traced() -> Iterator[Trace]:
    """`traced(with_content=…)`: from now on every call's span is kept."""
    started = []

    def start(*, with_content: bool = False) -> InMemorySpanExporter:
        spans = InMemorySpanExporter()
        provider = TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(spans))
        observer = tracing_observer(provider, with_content=with_content)
        started.append(observer)
        observe(observer)
        return spans

    yield start
    for observer in started:
        unobserve(observer)


def only(spans: InMemorySpanExporter) -> tuple[ReadableSpan, dict[str, Any]]:
    [span] = spans.get_finished_spans()
    return span, dict(span.attributes or {})


async def test_a_call_is_one_span_with_the_conventions_names(config: ModelConfig, traced: Trace) -> None:
    spans = traced()
    answer = await complete(HELLO, config)
    span, attributes = only(spans)
    assert (span.name, span.kind) == (f"chat {config.model}", SpanKind.CLIENT)
    assert attributes == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "scripted",
        "gen_ai.request.model": config.model,
        "gen_ai.request.temperature": 0,
        "gen_ai.request.max_tokens": 50,
        "gen_ai.response.model": answer.model,
        "gen_ai.response.id": answer.response_id,
        "gen_ai.response.finish_reasons": ("stop",),
        "gen_ai.usage.input_tokens": answer.usage.input_tokens,
        "gen_ai.usage.output_tokens": answer.usage.output_tokens,
    }


async def test_a_span_lasts_as_long_as_its_call(config_for: Callable[..., ModelConfig], traced: Trace) -> None:
    spans = traced()
    await complete(HELLO, config_for(ScriptedModel(Options(faults=parse_faults("ttft=0.2")))))
    span, attributes = only(spans)
    assert span.start_time is not None
    assert span.end_time is not None
    assert span.end_time - span.start_time >= 200_000_000
    assert span.status.status_code is StatusCode.UNSET
    assert attributes["server.address"].endswith(".invalid")
    assert attributes["server.port"] == 80


async def test_the_scripted_model_has_no_server(settings: Settings, traced: Trace) -> None:
    settings.OPENAI_BASE_URL = "https://api.openai.com/v1"
    spans = traced()
    await complete(HELLO, model_config())
    await close_clients()
    _, attributes = only(spans)
    assert attributes["gen_ai.provider.name"] == "scripted"
    assert not {"server.address", "server.port"} & attributes.keys()


async def test_a_call_whose_caller_left_is_no_error(config: ModelConfig, traced: Trace) -> None:
    spans = traced(with_content=True)
    async with ModelStream(HELLO, config) as stream:
        async for _ in stream:
            break
    span, attributes = only(spans)
    assert span.status.status_code is StatusCode.UNSET
    assert not {"error.type", "gen_ai.response.finish_reasons"} & attributes.keys()
    [answered] = json.loads(attributes["gen_ai.output.messages"])
    assert answered["finish_reason"] == "left"


async def test_a_failed_call_has_its_code_as_the_type_of_the_error(
    config_for: Callable[..., ModelConfig], traced: Trace
) -> None:
    spans = traced()
    await complete(HELLO, config_for(ScriptedModel(Options(faults=parse_faults("eof")))))
    span, attributes = only(spans)
    assert (attributes["error.type"], span.status.status_code) == ("interrupted", StatusCode.ERROR)
    assert "gen_ai.response.finish_reasons" not in attributes


async def test_what_was_said_is_not_in_a_span(config: ModelConfig, traced: Trace) -> None:
    spans = traced()
    answer = await complete(HELLO, config)
    span, _ = only(spans)
    assert "Ferreira" not in span.to_json()
    assert answer.text not in span.to_json()


async def test_what_was_said_is_in_a_span_where_that_was_asked_for(config: ModelConfig, traced: Trace) -> None:
    spans = traced(with_content=True)
    await summarise("Invoice of 12.50 EUR from Ms Ferreira.", config)
    first, second = (dict(span.attributes or {}) for span in spans.get_finished_spans())
    asked = json.loads(str(first["gen_ai.input.messages"]))
    assert [message["role"] for message in asked] == ["system", "user"]
    assert "Ferreira" in asked[1]["parts"][0]["content"]
    [called] = json.loads(str(first["gen_ai.output.messages"]))
    assert (called["finish_reason"], first["gen_ai.response.finish_reasons"]) == ("tool_call", ("tool_calls",))
    [answered] = json.loads(str(second["gen_ai.output.messages"]))
    assert (answered["role"], answered["finish_reason"]) == ("assistant", "stop")


async def test_the_tool_exchange_is_in_both_spans_with_its_ids(config: ModelConfig, traced: Trace) -> None:
    spans = traced(with_content=True)
    await summarise("Invoice of 12.50 EUR from Ms Ferreira.", config)
    first, second = (dict(span.attributes or {}) for span in spans.get_finished_spans())
    [called] = json.loads(str(first["gen_ai.output.messages"]))
    [call] = called["parts"]
    assert (call["type"], call["name"]) == ("tool_call", "normalize_amount")
    assert call["arguments"] == {"raw": "12.50 EUR"}
    _, _, assistant, tool = json.loads(str(second["gen_ai.input.messages"]))
    assert assistant == {"role": "assistant", "parts": [call]}
    [result] = tool["parts"]
    assert (tool["role"], result["type"], result["id"]) == ("tool", "tool_call_response", call["id"])
    assert result["response"]["amount_minor"] == 1250


@pytest.mark.parametrize("arguments", ["{", '{"raw": NaN}', '{"raw": 1e999}', r'{"raw": "\ud800"}', '{"a": 1, "a": 2}'])
def test_arguments_that_json_cannot_carry_stand_as_they_were_written(arguments: str) -> None:
    asked = {"id": "a", "function": {"name": "n", "arguments": arguments}}
    message = input_message({"role": "assistant", "content": "Let me see.", "tool_calls": [asked]})
    assert message["parts"] == [
        {"type": "text", "content": "Let me see."},
        {"type": "tool_call", "id": "a", "name": "n", "arguments": arguments},
    ]


async def test_a_failed_answer_keeps_what_was_said_beside_it(
    config_for: Callable[..., ModelConfig], traced: Trace
) -> None:
    spans = traced(with_content=True)
    script = Script(body=(chunk("Well", reasoning_content="Hm."), chunk(None, refusal="No.")))
    await complete(HELLO, config_for(Player(script)))
    _, attributes = only(spans)
    [answered] = json.loads(attributes["gen_ai.output.messages"])
    assert answered["finish_reason"] == "error"
    assert [(part["type"], part["content"]) for part in answered["parts"]] == [
        ("reasoning", "Hm."),
        ("text", "Well"),
        ("refusal", "No."),
    ]


def test_the_spans_are_sent_by_otlp_to_where_the_environment_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector.invalid:4318")
    monkeypatch.setattr(tracing, "_exporting", [])
    provider = exporting_provider()
    with responses.RequestsMock() as web:
        web.post("http://collector.invalid:4318/v1/traces")
        provider.get_tracer("tests").start_span("chat m").end()
        provider.force_flush()
        provider.shutdown()
        assert [call.request.url for call in web.calls] == ["http://collector.invalid:4318/v1/traces"]


def test_without_opentelemetry_a_wish_for_traces_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracing, "INSTALLED", False)
    with pytest.raises(ImproperlyConfigured, match="pip install opentelemetry-sdk"):
        exporting_provider()


class Collector(SpanProcessor):
    """Stands for a collector that does not answer before it is let."""

    def __init__(self) -> None:
        self.asked, self.answers = threading.Event(), threading.Event()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        self.asked.set()
        return self.answers.wait(30)


def test_a_collector_that_does_not_answer_holds_an_ending_process_no_longer_than_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    provider, collector = TracerProvider(), Collector()
    provider.add_span_processor(collector)
    monkeypatch.setattr(tracing, "_exporting", [provider])
    monkeypatch.setattr(tracing, "LAST_SECONDS", 0.05)
    tracing.flush()
    assert collector.asked.is_set()
    collector.answers.set()


def test_the_spans_of_a_background_task_are_sent_when_it_has_ended(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(observing, "_observers", [])
    monkeypatch.setattr(task_finished, "receivers", [])
    settings.LLM_TRACING = True
    watching.start()
    provider, collector = TracerProvider(), Collector()
    provider.add_span_processor(collector)
    monkeypatch.setattr(tracing, "_exporting", [provider])
    collector.answers.set()
    task_finished.send(object)
    assert collector.asked.is_set()


@pytest.mark.parametrize("wanted", [True, False])
def test_calls_are_traced_where_the_setting_says_so(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, wanted: bool
) -> None:
    monkeypatch.setattr(observing, "_observers", [])
    monkeypatch.setattr(tracing, "_exporting", [])
    monkeypatch.setattr(task_finished, "receivers", [])
    settings.LLM_TRACING = wanted
    watching.start()
    assert len(observing._observers) == 1 + wanted
