"""The summarizer's HTTP door: parse, call one service function, answer."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from backoffice.api.access import AUTHENTICATION, SummariesRate, needs
from backoffice.api.views import AsyncAPIView
from backoffice.database import in_database
from backoffice.llm.client import model_config
from summarizer.models import Outcome, Run, Trigger
from summarizer.runs.batch import summarise_now
from summarizer.runs.queue import Origin
from summarizer.runs.reading import RunView, run_for
from summarizer.schemas import BatchIn, BatchOut, OutcomeOut, ProgressOut, RunOut


class BatchView(AsyncAPIView):
    authentication_classes = AUTHENTICATION
    permission_classes = (needs("summarizer.add_run"),)
    throttle_classes = (SummariesRate,)

    @extend_schema(operation_id="summarise_batch", request=BatchIn, responses={200: BatchOut})
    async def post(self, request: Request) -> Response:
        """Summarise up to 50 notes, one after another, and answer when all have ended."""
        config = model_config()
        batch = self.body(BatchIn)
        result = await summarise_now(batch.rows, Origin(Trigger.API, request.user), config)
        answer = BatchOut(summaries=result.summaries, failed=result.failed)
        return Response(answer.model_dump(), headers={"Content-Location": f"/summaries/runs/{result.run_id}"})


class RunStatusView(AsyncAPIView):
    authentication_classes = AUTHENTICATION
    permission_classes = (needs("summarizer.view_run"),)
    throttle_classes = (SummariesRate,)

    @extend_schema(operation_id="read_run", responses={200: RunOut})
    async def get(self, request: Request, run_id: int) -> Response:
        """State, progress and the result so far of one run."""
        try:
            view = await in_database(run_for, run_id, request.user)
        except Run.DoesNotExist:
            raise Http404 from None
        return Response(run_out(view).model_dump(mode="json"))


def run_out(view: RunView) -> RunOut:
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
