"""The summarizer's HTTP door: parse, call one service function, answer."""

from typing import Any

from django.contrib.auth.models import User
from django.http import Http404, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from backoffice.api.access import AUTHENTICATION, SummariesRate, needs
from backoffice.api.error_bodies import ErrorOut
from backoffice.api.headers import RESPOND_ASYNC, idempotency_key, wants_async
from backoffice.api.streams import event_stream
from backoffice.api.views import AsyncAPIView
from backoffice.database import in_database
from backoffice.llm.client import model_config
from summarizer.models import Outcome, Run, Trigger
from summarizer.runs import reading
from summarizer.runs.batch import Batch, BatchResult, KeyReused, OtherProvider, summarise_later, summarise_now
from summarizer.runs.cancelling import cancel_for
from summarizer.runs.queue import Origin
from summarizer.schemas import AcceptedOut, BatchIn, BatchOut, OutcomeOut, ProgressOut, RunOut

KEY_REUSED = {
    "type": "idempotency_key_reused",
    "loc": ["header", "Idempotency-Key"],
    "msg": "This key was used with another body; use a new key for a new request",
}


class BatchView(AsyncAPIView):
    authentication_classes = AUTHENTICATION
    permission_classes = (needs("summarizer.add_run"),)
    throttle_classes = (SummariesRate,)

    @extend_schema(
        operation_id="summarise_batch",
        request=BatchIn,
        responses={200: BatchOut, 202: AcceptedOut, 409: ErrorOut},
        parameters=[
            OpenApiParameter("Idempotency-Key", str, "header", description="A repeat gets the first one's result"),
            OpenApiParameter("Prefer", str, "header", description="`respond-async`: 202 and a Location to poll"),
        ],
    )
    async def post(self, request: Request) -> Response:
        """Summarise up to 50 notes, one after another, and answer when all have ended."""
        config = model_config()
        origin = Origin(Trigger.API, request.user)
        batch = Batch(self.body(BatchIn).rows, origin, idempotency_key(request.headers))
        try:
            if wants_async(request.headers):
                return _accepted(await summarise_later(batch, config))
            return _answered(await summarise_now(batch, config))
        except KeyReused:
            return Response({"detail": [KEY_REUSED]}, status.HTTP_422_UNPROCESSABLE_ENTITY)
        except OtherProvider as other:
            return Response({"detail": _of_other_provider(other)}, status.HTTP_409_CONFLICT)


def _answered(result: BatchResult) -> Response:
    answer = BatchOut(summaries=result.summaries, failed=result.failed)
    return Response(answer.model_dump(), headers={"Content-Location": _path(result.run_id)})


def _accepted(run_id: int) -> Response:
    headers = {"Location": _path(run_id), "Preference-Applied": RESPOND_ASYNC}
    return Response({"id": run_id}, status.HTTP_202_ACCEPTED, headers=headers)


def _of_other_provider(other: OtherProvider) -> str:
    return (
        f"Run {other.run_id}, which this request began, stopped half-way. Its provider was {other.begun_with}, and now "
        f"{other.provider} is asked. Send the rows under a new Idempotency-Key; or repeat this request when "
        f"{other.begun_with} is asked again."
    )


def _path(run_id: int) -> str:
    return f"/summaries/runs/{run_id}"


class OneRunView(AsyncAPIView):
    """What the endpoints of one run have in common: it is there for its owner, and for who may view all."""

    authentication_classes = AUTHENTICATION
    permission_classes = (needs("summarizer.view_run"),)
    throttle_classes = (SummariesRate,)

    async def view(self, run_id: int) -> reading.RunView:
        try:
            return await in_database(reading.view_of, run_id, self.request.user)
        except Run.DoesNotExist:
            raise Http404 from None


class RunStatusView(OneRunView):
    @extend_schema(operation_id="read_run", responses={200: RunOut})
    async def get(self, request: Request, run_id: int) -> Response:
        """State, progress and the result so far of one run."""
        return Response(run_out(await self.view(run_id)).model_dump(mode="json"))


class RunEventsView(OneRunView):
    @extend_schema(operation_id="watch_run", responses={(200, "text/event-stream"): OpenApiTypes.STR})
    async def get(self, request: Request, run_id: int) -> StreamingHttpResponse:
        """Server-sent events: `progress` with `{"total", "done"}` on every change, and one `end` with `{"state"}`."""
        await self.view(run_id)
        return event_stream(reading.watch(run_id))


class RunCancelView(OneRunView):
    permission_classes = (needs("summarizer.add_run", "summarizer.view_run"),)

    @extend_schema(operation_id="cancel_run", request=None, responses={202: RunOut, 409: ErrorOut})
    async def post(self, request: Request, run_id: int) -> Response:
        """Cancel a run: at once where nobody works on it, else after its current row. Pending rows are withdrawn."""
        await self.view(run_id)
        assert isinstance(request.user, User)  # who is not signed in got a 401
        cancelled = await in_database(cancel_for, request.user, run_id)
        view = await self.view(run_id)
        if not cancelled and view.run.cancel_requested_at is None:
            return Response({"detail": f"The run has ended: it is {view.run.state}."}, status.HTTP_409_CONFLICT)
        return Response(run_out(view).model_dump(mode="json"), status.HTTP_202_ACCEPTED)


def run_out(view: reading.RunView) -> RunOut:
    run = view.run
    return RunOut(
        id=run.pk,
        state=run.state,
        model=run.model,
        provider=run.provider,
        trigger=run.trigger,
        created_at=run.created_at,
        started_at=run.started_at,
        finished_at=run.finished_at,
        progress=ProgressOut(total=len(view.outcomes), done=view.done),
        result=BatchOut(summaries=view.summaries, failed=view.failed),
        outcomes=[OutcomeOut(**_outcome(row)) for row in view.outcomes],
    )


def _outcome(row: Outcome) -> dict[str, Any]:
    return {
        "row_id": row.row_id,
        "state": row.state,
        "summary": row.summary,
        "failure": row.failure or None,
        "warnings": row.warnings,
        "attempt": row.attempt,
        "stop_reason": row.stop_reason or None,
        "input_tokens": row.input_tokens,
        "output_tokens": row.output_tokens,
        "cost": None if row.cost is None else f"{row.cost:f}",
        "duration_ms": row.duration_ms,
        "first_text_ms": row.first_text_ms,
    }
