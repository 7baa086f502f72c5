"""OpenTelemetry spans of model calls, by the GenAI semantic conventions; an option, since few need them.

A call is told of when it has ended, so its span is made then, dated back. What was said is in it only where a second
setting asks for that: notes, messages and questions are personal data.
"""

import json
import threading
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from backoffice.health.messages import input_message, output_message
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
PORTS = {"http": 80, "https": 443}
LAST_SECONDS = 3.0
"""How long a process that ends may take to send its last spans."""

_exporting: list["TracerProvider"] = []


def exporting_provider() -> "TracerProvider":
    """Sends spans by OTLP over HTTP to where the standard OTEL_EXPORTER_OTLP_* variables say, in batches, and what is
    left at a `flush`. Raises ImproperlyConfigured where OpenTelemetry is not installed."""
    if not INSTALLED:
        raise ImproperlyConfigured(
            "LLM_TRACING is on but OpenTelemetry is not installed: "
            "pip install opentelemetry-sdk opentelemetry-exporter-otlp-proto-http, or turn it off."
        )
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    _exporting.append(provider)
    return provider


def flush() -> None:
    """Send what has not been sent, for LAST_SECONDS and no longer. It waits, so it has no place on an event loop.

    OpenTelemetry does the same as Python ends; but a web server ends by a signal, and the child of a worker at once.
    """
    for provider in _exporting:
        # Its own limit is not kept, and a thread that is no daemon would keep the process from ending.
        sending = threading.Thread(target=provider.force_flush, name="last spans", daemon=True)
        sending.start()
        sending.join(LAST_SECONDS)


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
    if call.completion.failure is not None:  # a caller who left is no error
        span.set_attribute("error.type", call.code)
        span.set_status(trace.StatusCode.ERROR)
    span.end(ended)


def _attributes(call: EndedCall) -> Iterator[tuple[str, Any]]:
    completion = call.completion
    request, usage = completion.request, completion.usage
    known = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": call.provider,
        "gen_ai.request.model": call.model,
        "gen_ai.request.temperature": request.get("temperature"),
        "gen_ai.request.max_tokens": request.get("max_tokens"),
        "gen_ai.response.model": completion.model or None,
        "gen_ai.response.id": completion.response_id or None,
        "gen_ai.response.finish_reasons": _finish_reasons(call),
        "gen_ai.usage.input_tokens": usage.input_tokens,
        "gen_ai.usage.output_tokens": usage.output_tokens,
        **_server(call),
    }
    yield from ((name, value) for name, value in known.items() if value is not None)


def _finish_reasons(call: EndedCall) -> list[str] | None:
    """In the provider's words."""
    reason = call.completion.stop_reason
    return None if reason is None else ["stop" if reason is StopReason.END else reason.value]


def _server(call: EndedCall) -> dict[str, Any]:
    """The scripted model has none, whatever address is configured."""
    if call.provider == "scripted":
        return {}
    address = urlsplit(call.base_url)
    return {"server.address": address.hostname, "server.port": address.port or PORTS.get(address.scheme)}


def _content(call: EndedCall) -> Iterator[tuple[str, str]]:
    asked = [input_message(message) for message in call.messages]
    yield "gen_ai.input.messages", json.dumps(asked, ensure_ascii=False)
    yield "gen_ai.output.messages", json.dumps([output_message(call)], ensure_ascii=False)
