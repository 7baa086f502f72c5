"""OpenTelemetry spans of model calls, by the GenAI semantic conventions; an option, since few need them.

A call is told of when it has ended, so its span is made then, dated back. What was said is in it only where a second
setting asks for that: notes, messages and questions are personal data.
"""

import json
import time
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from backoffice.llm.events import StopReason
from backoffice.llm.observing import EndedCall, Observer

try:
    from opentelemetry import trace
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
except ImportError:
    INSTALLED = False
else:
    INSTALLED = True

NANOSECONDS = 1_000_000_000
FINISH_REASONS = {StopReason.END: "stop"}
"""The conventions' words where they are not ours."""


def exporting_provider() -> "TracerProvider":
    """Sends spans by OTLP over HTTP to where the standard OTEL_EXPORTER_OTLP_* variables say, in batches, the last one
    as the process ends. Raises ImproperlyConfigured where OpenTelemetry is not installed."""
    if not INSTALLED:
        raise ImproperlyConfigured(
            "LLM_TRACING is on but OpenTelemetry is not installed: "
            "pip install opentelemetry-sdk opentelemetry-exporter-otlp-proto-http, or turn it off."
        )
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider


def tracing_observer(provider: "TracerProvider", *, with_content: bool) -> Observer:
    """An observer that makes a span of every call."""
    tracer = provider.get_tracer("backoffice.llm")

    def observer(call: EndedCall) -> None:
        _record(tracer, call, with_content=with_content)

    return observer


def _record(tracer: "trace.Tracer", call: EndedCall, *, with_content: bool) -> None:
    ended = time.time_ns()
    started = ended - round(call.completion.duration * NANOSECONDS)
    attributes = dict(_attributes(call)) | (dict(_content(call)) if with_content else {})
    span = tracer.start_span(
        f"chat {call.model}", kind=trace.SpanKind.CLIENT, attributes=attributes, start_time=started
    )
    if call.code != "ok":
        span.set_attribute("error.type", call.code)
        span.set_status(trace.StatusCode.ERROR)
    span.end(ended)


def _attributes(call: EndedCall) -> Iterator[tuple[str, Any]]:
    completion, address = call.completion, urlsplit(call.base_url)
    request, usage = completion.request, completion.usage
    known = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": call.provider,
        "gen_ai.request.model": call.model,
        "gen_ai.request.temperature": request.get("temperature"),
        "gen_ai.request.max_tokens": request.get("max_tokens"),
        "gen_ai.response.model": completion.model or None,
        "gen_ai.response.id": completion.response_id or None,
        "gen_ai.response.finish_reasons": [_finish_reason(call)] if completion.stop_reason else None,
        "gen_ai.usage.input_tokens": usage.input_tokens,
        "gen_ai.usage.output_tokens": usage.output_tokens,
        "server.address": address.hostname,
        "server.port": address.port,
    }
    yield from ((name, value) for name, value in known.items() if value is not None)


def _finish_reason(call: EndedCall) -> str | None:
    reason = call.completion.stop_reason
    return FINISH_REASONS.get(reason, reason.value) if reason else None


def _content(call: EndedCall) -> Iterator[tuple[str, str]]:
    completion = call.completion
    answer = {"role": "assistant", "content": completion.text, "finish_reason": _finish_reason(call)}
    yield "gen_ai.input.messages", json.dumps([_message(message) for message in call.messages], ensure_ascii=False)
    calls = [
        {"type": "tool_call", "id": asked.id, "name": asked.name, "arguments": asked.arguments}
        for asked in completion.tool_calls
    ]
    yield "gen_ai.output.messages", json.dumps([_message(answer, calls)], ensure_ascii=False)


def _message(message: Mapping[str, Any], calls: Any = ()) -> dict[str, Any]:
    """In the conventions' shape: a role, and parts."""
    text = message.get("content")
    parts = [{"type": "text", "content": text}] if text else []
    more = {"finish_reason": message["finish_reason"]} if message.get("finish_reason") else {}
    return {"role": message["role"], "parts": [*parts, *calls], **more}
