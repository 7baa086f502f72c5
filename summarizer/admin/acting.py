"""What the desk's pages have in common: who may press, what a confirmation says, and what stands in the log."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from backoffice.audit.admin import ReadOnlyAdmin
from backoffice.audit.deeds import record, record_each, told, with_words
from backoffice.llm.client import ModelConfig, model_config
from backoffice.llm.failures import NotConfigured

Fact = tuple[str, str]
Facts = Sequence[Fact]


class DeskAdmin(ReadOnlyAdmin):
    """Lists and pages of the operators' desk. Actions with `permissions=["operate"]` are for operators alone."""

    def has_operate_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("summarizer.operate_run")

    def operated(self, request: HttpRequest, object_id: int | str) -> Any:
        """The object an operator is about to act on. Raises PermissionDenied and Http404."""
        if not self.has_operate_permission(request):
            raise PermissionDenied
        return self.seen(request, object_id)

    def seen(self, request: HttpRequest, object_id: int | str) -> Any:
        """The object somebody looks at. Raises PermissionDenied and Http404."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        found = self.get_object(request, str(object_id))
        if found is None:
            raise Http404
        return found

    def page(self, request: HttpRequest, template: str, title: str, **context: Any) -> TemplateResponse:
        frame = {**self.admin_site.each_context(request), "opts": self.opts, "title": title}
        request.current_app = self.admin_site.name
        return TemplateResponse(request, f"summarizer/admin/{template}", frame | context)

    def confirmation(
        self, request: HttpRequest, title: str, facts: Facts, button: str, **context: Any
    ) -> TemplateResponse:
        """A page that says what is about to happen; its button sends the same request again with `confirmed`.

        `context`: `note`, a sentence below the facts; `danger`, for a red button; `back`, where Cancel leads.
        """
        again = [(name, value) for name in ("action", "select_across") for value in request.POST.getlist(name)]
        again += [(ACTION_CHECKBOX_NAME, value) for value in request.POST.getlist(ACTION_CHECKBOX_NAME)]
        return self.page(request, "confirm.html", title, facts=facts, button=button, again=again, **context)

    object_history_template = "summarizer/admin/history.html"

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        """Who did what to one object, in the reader's language."""
        response: Any = super().history_view(request, object_id, extra_context)
        context = getattr(response, "context_data", None)
        if context is not None:
            context["title"] = _("Who did what: %(name)s") % {"name": told(str(context["object"]))}
            context["action_list"].object_list = with_words(context["action_list"].object_list)
        return response  # type: ignore[no-any-return]

    def log(self, request: HttpRequest, what: str, *objects: Model) -> None:
        """Into Django's log: who did what to which objects. A failed row, or one to review, stands there as the row."""
        record(person(request), what, *objects)

    def log_each(self, request: HttpRequest, done: Iterable[tuple[str, Model]]) -> None:
        """As `log`, with a sentence for each object."""
        record_each(person(request), done)


def person(request: HttpRequest) -> User:
    """Who is signed in; admin lets nobody else through."""
    assert isinstance(request.user, User)
    return request.user


def is_confirmed(request: HttpRequest) -> bool:
    return request.method == "POST" and "confirmed" in request.POST


def configured(request: HttpRequest) -> ModelConfig | None:
    """The model's configuration; where there is none the operator is told, and nothing is stored."""
    try:
        return model_config()
    except NotConfigured as error:
        tell(request, messages.ERROR, [_("Nothing was stored."), error.failure.detail])
        return None


def tell(request: HttpRequest, level: int, sentences: Iterable[str]) -> None:
    """One message of the sentences that are not empty."""
    if said := " ".join(filter(None, sentences)):
        messages.add_message(request, level, said)
