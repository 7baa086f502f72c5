"""Starting runs on the background worker: what it comes to, and what was done."""

from collections.abc import Sequence

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from summarizer.admin import deeds, wording
from summarizer.admin.acting import DeskAdmin, Facts, configured
from summarizer.costing import most_cost
from summarizer.models import Outcome, Run
from summarizer.runs.starting import request_start
from summarizer.runs.statistics import workload_of
from summarizer.tasks import start

WORKER_COMMAND = "python manage.py db_worker"


def start_facts(request: HttpRequest, runs: Sequence[Run]) -> Facts | None:
    """What starting these runs comes to; None, and a message, where none of them can be started."""
    config = configured(request)
    if config is None:
        return None
    mine = [run for run in runs if run.provider == config.provider]
    load = workload_of(mine)
    if not load.run_ids:
        none = _("None of these runs can be started: %(why)s.")
        messages.warning(request, none % {"why": _why_not()})
        return None
    facts = [
        (_("Runs that will start"), wording.number(len(load.run_ids))),
        (_("Rows that will be summarised"), wording.number(load.rows)),
        (_("Of these, summarised before"), _known(load.known)),
        (_("Model"), ", ".join(sorted({f"{run.model} ({run.provider})" for run in mine if run.pk in load.run_ids}))),
        (_("The most it can cost"), _cost(mine, load.run_ids)),
    ]
    if skipped := len(runs) - len(load.run_ids):
        facts.append((_("Runs that are left out"), f"{wording.number(skipped)}: {_why_not()}"))
    return facts


def _why_not() -> str:
    return _("they run already, have ended, or were queued for another provider")


def _known(count: int) -> str:
    if not count:
        return "0"
    return _("%(rows)s: same text, model and prompt") % {"rows": wording.rows(count)}


def _cost(runs: Sequence[Run], run_ids: Sequence[int]) -> str:
    total = None
    for model in {run.model for run in runs if run.pk in run_ids}:
        texts = Outcome.objects.pending().filter(run__in=run_ids, run__model=model).order_by()
        cost = most_cost(texts.values_list("text", flat=True).iterator(chunk_size=2000), model)
        if cost is None:
            return wording.at_most(None)
        total = cost if total is None else total + cost
    return wording.at_most(total)


def _deed(run: Run) -> str:
    return deeds.TAKEN_UP if run.is_stalled else deeds.STARTED


def start_runs(admin: DeskAdmin, request: HttpRequest, runs: Sequence[Run]) -> list[int]:
    """Hand the runs that can be started to the worker, once, and say so; the runs handed over."""
    config = configured(request)
    if config is None:
        return []
    wanted = {run.pk: run for run in runs if run.provider == config.provider}
    with transaction.atomic():
        started = request_start(list(wanted))
        start(started)
        admin.log_each(request, ((_deed(wanted[run_id]), wanted[run_id]) for run_id in started))
    if started:
        messages.success(request, _("%(runs)s handed to the background worker.") % {"runs": wording.runs(len(started))})
    if left := len(runs) - len(started):
        said = ngettext(
            "%(count)s run was left alone: it runs already, was started a moment ago, or has ended.",
            "%(count)s runs were left alone: they run already, were started a moment ago, or have ended.",
            left,
        )
        messages.warning(request, said % {"count": wording.number(left)})
    return started
