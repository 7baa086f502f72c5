"""Spans of model calls, by the GenAI conventions; what was said is in them only where somebody asked for it."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import responses
from django.core.exceptions import ImproperlyConfigured
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode
from pytest_django import Settings

from backoffice.health import tracing, watching
from backoffice.health.tracing import exporting_provider, tracing_observer
from backoffice.llm import observing
from backoffice.llm.client import ModelConfig
from backoffice.llm.observing import observe, unobserve
from backoffice.llm.scripted import Options, ScriptedModel
from backoffice.llm.scripted.faults import parse_faults
from backoffice.llm.streaming import ModelRequest, complete
from summarizer.rows import summarise

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
        "server.address": "api.openai.com",
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
    assert [part["type"] for part in called["parts"]] == ["tool_call"]
    [answered] = json.loads(str(second["gen_ai.output.messages"]))
    assert (answered["role"], answered["finish_reason"]) == ("assistant", "stop")


def test_the_spans_are_sent_by_otlp_to_where_the_environment_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector.invalid:4318")
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


@pytest.mark.parametrize("wanted", [True, False])
def test_calls_are_traced_where_the_setting_says_so(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, wanted: bool
) -> None:
    monkeypatch.setattr(observing, "_observers", [])
    settings.LLM_TRACING = wanted
    watching.start()
    assert len(observing._observers) == 1 + wanted
