"""Importing notes: upload or paste, look at what was read, put it right, and queue it."""

import csv
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.decorators import display
from unfold.widgets import UnfoldAdminFileFieldWidget, UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget

from backoffice.audit.deeds import told
from summarizer import drafts, exporting
from summarizer.admin import deeds, wording
from summarizer.admin.acting import Fact, configured, is_confirmed, person
from summarizer.admin.draft_load import Load, load_of
from summarizer.admin.exports import ExportedAdmin, draft_columns, draft_state
from summarizer.admin.filters import DraftStateFilter, PeriodFilter, between
from summarizer.admin.requeueing import links_to
from summarizer.admin.starting import start_runs
from summarizer.importing import MAX_BYTES, Columns, Layout, Notes, UnreadableFile
from summarizer.models import ImportDraft, Run

SHOWN_BAD, SHOWN_GOOD = 200, 20
ENDED_MEANWHILE = gettext_lazy("This import was queued or given up meanwhile.")
PLACEHOLDER = "row_id\ttext\n1\tInvoice 4711: 1,200.50 EUR"


class UploadForm(forms.Form):
    """A file or a pasted text, one of the two."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        required=False,
        help_text=gettext_lazy("CSV, Excel (.xlsx), JSON or JSON Lines, with a header that names the columns."),
        widget=UnfoldAdminFileFieldWidget(attrs={"accept": ".csv,.tsv,.txt,.xlsx,.json,.jsonl,.ndjson"}),
    )
    text = forms.CharField(
        label=gettext_lazy("Or paste here"),
        required=False,
        strip=False,
        help_text=gettext_lazy("Cells copied from a spreadsheet, header line included, or CSV or JSON."),
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 8, "placeholder": PLACEHOLDER}),
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file is not None and file.size > MAX_BYTES:
            raise forms.ValidationError(_("The file is larger than %(size)s MB.") % {"size": MAX_BYTES // 1_000_000})
        return file

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if bool(data.get("file")) == bool(data.get("text", "").strip()) and not self.errors:
            raise forms.ValidationError(_("Choose a file, or paste the rows: one of the two."))
        return data

    def upload(self) -> drafts.Upload:
        """Raises UnreadableFile."""
        file = self.cleaned_data["file"]
        if file is None:
            return drafts.pasted(self.cleaned_data["text"])
        return drafts.uploaded(file.name, file.read())


class ColumnsForm(forms.Form):
    row_id = forms.ChoiceField(label=gettext_lazy("Column with the row number"), widget=UnfoldAdminSelectWidget())
    text = forms.ChoiceField(label=gettext_lazy("Column with the note"), widget=UnfoldAdminSelectWidget())

    def __init__(self, notes: Notes, data: Any = None) -> None:
        columns = notes.layout.columns
        super().__init__(data, initial={"row_id": columns.row_id, "text": columns.text} if columns else {})
        names = [(name, name) for name in notes.layout.header if name]
        for field in ("row_id", "text"):
            choice: Any = self.fields[field]
            choice.choices = names if columns else [("", _("Choose a column")), *names]

    def columns(self) -> Columns:
        return Columns(self.cleaned_data["row_id"], self.cleaned_data["text"])


class SheetForm(forms.Form):
    sheet = forms.ChoiceField(label=gettext_lazy("Sheet"), widget=UnfoldAdminSelectWidget())

    def __init__(self, notes: Notes, data: Any = None) -> None:
        layout = notes.layout
        super().__init__(data, initial={"sheet": layout.sheet})
        choice: Any = self.fields["sheet"]
        choice.choices = [(name, name) for name in (layout.sheet, *layout.other_sheets) if name]


@admin.register(ImportDraft)
class ImportDraftAdmin(ExportedAdmin):
    list_display = ("draft", "state", "good", "bad", "who", "uploaded")
    list_display_links = None
    list_filter = (PeriodFilter, DraftStateFilter)
    list_filter_sheet = False
    change_list_template = "summarizer/admin/drafts.html"
    search_fields = ("name", "created_by__username")
    search_help_text = gettext_lazy("File name or person")
    ordering = ("-pk",)
    sortable_by = ()
    actions = None

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("created_by").defer("file", "reading")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("summarizer.add_importdraft")

    def has_operate_permission(self, request: HttpRequest) -> bool:
        """To change a draft, and to make runs of it."""
        return request.user.has_perms(("summarizer.change_importdraft", "summarizer.add_run"))

    def sheet(self, rows: Any) -> exporting.Sheet:
        return exporting.drafts(rows, draft_columns())

    def limit_to_period(self, rows: QuerySet[Any], since: datetime | None, until: datetime | None) -> QuerySet[Any]:
        return rows.filter(between("created_at", since, until))

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        pages = (
            ("columns", self.columns_view),
            ("sheet", self.sheet_view),
            ("replace", self.replace_view),
            ("queue", self.queue_view),
            ("discard", self.discard_view),
            ("bad-rows", self.bad_rows_view),
        )
        own = [
            path(f"<int:object_id>/{name}", view(page), name=f"summarizer_importdraft_{name}") for name, page in pages
        ]
        return [*own, *super().get_urls()]

    @display(description=gettext_lazy("File"))
    def draft(self, draft: ImportDraft) -> SafeString:
        return format_html('<a class="desk-link" href="{}">{}</a>', _url(draft), told(draft.name))

    @display(description=gettext_lazy("State"), label={"open": "info", "queued": "success", "discarded": ""})
    def state(self, draft: ImportDraft) -> tuple[str, str]:
        return draft_state(draft)

    @display(description=gettext_lazy("Good rows"))
    def good(self, draft: ImportDraft) -> str:
        return wording.number(draft.good_rows)

    @display(description=gettext_lazy("Bad rows"))
    def bad(self, draft: ImportDraft) -> str:
        return wording.number(draft.bad_rows)

    @display(description=gettext_lazy("Who"))
    def who(self, draft: ImportDraft) -> str:
        return draft.created_by.get_username()

    @display(description=gettext_lazy("Uploaded"))
    def uploaded(self, draft: ImportDraft) -> str:
        return wording.moment(draft.created_at)

    def add_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        sent = request.method == "POST"
        form = UploadForm(request.POST, request.FILES) if sent else UploadForm()
        if sent and form.is_valid():
            try:
                return HttpResponseRedirect(_url(drafts.store(person(request), form.upload())))
            except UnreadableFile as error:
                form.add_error(None, _said(error))
        return self.page(request, "upload.html", _("Import notes"), form=form, back=_list())

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        draft: ImportDraft = self.seen(request, object_id)
        if not draft.is_open:
            ended = wording.moment(draft.queued_at or draft.discarded_at)
            rows = wording.rows(draft.good_rows)
            return self.page(
                request, "draft_ended.html", told(draft.name), draft=draft, ended=ended, rows=rows, runs=_runs_of(draft)
            )
        notes = drafts.reading_of(draft)
        load = load_of(notes.notes)
        unknown_columns = bool(notes.layout.header) and notes.layout.columns is None
        return self.page(
            request,
            "draft.html",
            told(draft.name),
            draft=draft,
            notes=notes,
            good=notes.notes[:SHOWN_GOOD],
            bad=list(drafts.places(notes))[:SHOWN_BAD],
            bad_left=max(0, len(notes.bad_lines) - SHOWN_BAD),
            facts=_facts(notes.layout) if unknown_columns else [*_facts(notes.layout), *_queueing_facts(notes, load)],
            unknown_columns=unknown_columns,
            load=load,
            names=notes.layout.columns or Columns(_("Row"), _("Note")),
            columns_form=ColumnsForm(notes) if notes.layout.header else None,
            sheet_form=SheetForm(notes) if notes.layout.other_sheets else None,
            upload_form=UploadForm(),
            can_operate=self.has_operate_permission(request),
            bad_phrase=wording.rows(len(notes.bad_lines)),
        )

    def _operated_open(self, request: HttpRequest, object_id: int) -> ImportDraft:
        """Raises PermissionDenied, and Http404 for anything but a POST."""
        draft: ImportDraft = self.operated(request, object_id)
        if request.method != "POST":
            raise Http404
        return draft

    def columns_view(self, request: HttpRequest, object_id: int) -> HttpResponse:
        draft = self._operated_open(request, object_id)
        if draft.is_open:
            form = ColumnsForm(drafts.reading_of(draft), request.POST)
            if form.is_valid():
                self._reread(request, lambda: drafts.choose_columns(draft, form.columns()))
            else:
                messages.error(request, _("Choose both columns."))
        return HttpResponseRedirect(_url(draft))

    def sheet_view(self, request: HttpRequest, object_id: int) -> HttpResponse:
        draft = self._operated_open(request, object_id)
        if draft.is_open:
            form = SheetForm(drafts.reading_of(draft), request.POST)
            if form.is_valid():
                self._reread(request, lambda: drafts.choose_sheet(draft, form.cleaned_data["sheet"]))
            else:
                messages.error(request, _("Choose a sheet."))
        return HttpResponseRedirect(_url(draft))

    def replace_view(self, request: HttpRequest, object_id: int) -> HttpResponse:
        draft = self._operated_open(request, object_id)
        form = UploadForm(request.POST, request.FILES)
        if form.is_valid():
            self._reread(request, lambda: drafts.replace(draft, form.upload()))
        else:
            messages.error(request, " ".join(str(sentence) for errors in form.errors.values() for sentence in errors))
        return HttpResponseRedirect(_url(draft))

    def discard_view(self, request: HttpRequest, object_id: int) -> HttpResponse:
        draft = self._operated_open(request, object_id)
        if draft.is_open and not is_confirmed(request):
            facts = [(_("Good rows"), self.good(draft)), (_("Bad rows"), self.bad(draft))]
            title = _("Give the import of %(name)s up?") % {"name": told(draft.name)}
            return self.confirmation(request, title, facts, _("Give this import up"), danger=True, back=_url(draft))
        if self._try(request, lambda: drafts.discard(draft)):
            self.log(request, deeds.GIVEN_UP, draft)
            said = _("The import of %(name)s was given up; nothing was queued.")
            messages.success(request, said % {"name": told(draft.name)})
        return HttpResponseRedirect(_list())

    def _reread(self, request: HttpRequest, change: Callable[[], None]) -> None:
        if self._try(request, change):
            messages.success(request, _("The notes were read anew."))

    def _try(self, request: HttpRequest, change: Callable[[], None]) -> bool:
        try:
            change()
        except UnreadableFile as error:
            messages.error(request, _said(error))
        except drafts.AlreadyEnded:
            messages.warning(request, ENDED_MEANWHILE)
        else:
            return True
        return False

    def queue_view(self, request: HttpRequest, object_id: int) -> HttpResponse:
        draft = self._operated_open(request, object_id)
        config = configured(request)
        if config is None:
            return HttpResponseRedirect(_url(draft))
        if draft.is_open and draft.bad_rows and "without_bad_rows" not in request.POST:
            messages.error(request, _("Nothing was queued: some rows are bad. Put them right, or leave them out."))
            return HttpResponseRedirect(_url(draft))
        try:
            queued = drafts.queue(draft.pk, person(request), config, skip_known="skip_known" in request.POST)
        except drafts.NothingToQueue:
            messages.warning(request, _("Nothing was queued: no row is left."))
            return HttpResponseRedirect(_url(draft))
        except drafts.AlreadyEnded:
            messages.warning(request, ENDED_MEANWHILE)
            return HttpResponseRedirect(_url(draft))
        return self._queued(request, draft, queued)

    def _queued(self, request: HttpRequest, draft: ImportDraft, queued: drafts.Queued) -> HttpResponse:
        counts = {"rows": deeds.english(queued.rows, "row"), "runs": deeds.english(len(queued.runs), "run")}
        self.log(request, deeds.QUEUED % counts, draft)
        self.log(request, deeds.queued_from(draft.name), *queued.runs)
        said = _("%(rows)s of %(name)s queued:") % {"rows": wording.rows(queued.rows), "name": told(draft.name)}
        messages.success(request, format_html("{} {}", said, links_to(queued.runs)))
        if queued.known:
            left_out = _("Left out: %(rows)s summarised before or queued already.")
            messages.info(request, left_out % {"rows": wording.rows(queued.known)})
        if "run_now" in request.POST and request.user.has_perm("summarizer.operate_run"):
            start_runs(self, request, queued.runs)
        if len(queued.runs) == 1:
            return HttpResponseRedirect(reverse("admin:summarizer_run_change", args=(queued.runs[0].pk,)))
        return HttpResponseRedirect(reverse("admin:summarizer_run_changelist"))

    def bad_rows_view(self, request: HttpRequest, object_id: int) -> HttpResponse:
        """The bad rows as a file, to find them by in the spreadsheet. It is not to be read back: texts are cut in it,
        and a mark keeps formulas from running, so no column of it has the name of one that holds notes."""
        draft: ImportDraft = self.seen(request, object_id)
        if not draft.is_open:
            raise Http404
        response = HttpResponse("\ufeff", content_type="text/csv; charset=utf-8")
        response.headers["Content-Disposition"] = f'attachment; filename="bad-rows-{draft.pk}.csv"'
        writer = csv.writer(response, delimiter=exporting.Dialect.current().delimiter)
        notes = drafts.reading_of(draft)
        named = notes.layout.columns.row_id if notes.layout.columns else "row_id"
        writer.writerow((_("Where"), exporting.safe(named), _("Beginning of the text"), _("Reason")))
        for place, bad in drafts.places(notes):
            writer.writerow((place, *map(exporting.safe, (bad.row_id or "", bad.text, bad.reason))))
        return response


def _runs_of(draft: ImportDraft) -> str:
    """Links to the runs it was queued as, where they are known."""
    return links_to([Run(pk=run_id) for run_id in draft.runs])


def _url(draft: ImportDraft) -> str:
    return reverse("admin:summarizer_importdraft_change", args=(draft.pk,))


def _list() -> str:
    return reverse("admin:summarizer_importdraft_changelist")


def _said(error: UnreadableFile) -> str:
    """A sentence out of the reader's words, which begin in lower case."""
    words = str(error)
    return f"{words[:1].upper()}{words[1:]}."


def _facts(layout: Layout) -> list[Fact]:
    """How the file was understood."""
    facts: list[Fact] = []
    if layout.encoding:
        guessed = _(" (a guess: check the umlauts below)") if layout.encoding_is_guessed else ""
        facts.append((_("Read as"), f"{layout.encoding}{guessed}"))
    if layout.sheet:
        facts.append((_("Sheet"), layout.sheet))
    if layout.other_sheets:
        facts.append((_("Sheets that were not read"), ", ".join(layout.other_sheets)))
    if layout.lines_above:
        facts.append((_("Lines above the header, left out"), wording.number(layout.lines_above)))
    return facts


def _queueing_facts(notes: Notes, load: Load) -> list[Fact]:
    facts: list[Fact] = [
        (_("Good rows"), wording.number(len(notes.notes))),
        (_("Bad rows"), wording.number(len(notes.bad_lines))),
    ]
    if notes.blank_lines:
        facts.append((_("Blank lines, left out"), wording.number(notes.blank_lines)))
    if load.config is None:
        return [*facts, (_("Runs they make"), load.of_all.runs), (_("Model"), load.problem)]
    return [
        *facts,
        (_("Of the good rows, summarised before"), wording.number(load.summarised)),
        (_("Of the good rows, queued already"), wording.number(load.queued)),
        (_("Runs they make"), load.either("runs")),
        (_("Model"), f"{load.config.model} ({load.config.provider})"),
        (_("The most it can cost"), load.either("cost")),
    ]
