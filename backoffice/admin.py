"""Admin of the house itself: people, groups, API tokens, background tasks and the log, in the look of the desk."""

import copy
from datetime import timedelta
from typing import Any

from django import forms
from django.apps import apps
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.models import DELETION, LogEntry
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group, User
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django_tasks_db.admin import DBTaskResultAdmin
from django_tasks_db.models import DBTaskResult
from knox.models import AuthToken
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm
from unfold.views import ChangeList
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from backoffice.audit.admin import HistoryChangeList, ReadOnlyAdmin
from backoffice.audit.columns import WordsFilter, columns
from backoffice.audit.deeds import REVOKED, TOKEN_BY_NAME, deed_of, object_of, told
from backoffice.audit.labels import LABELS, TASK_STATES
from backoffice.groups import AUDITORS, OPERATORS

for model in (User, Group, AuthToken, DBTaskResult):
    admin.site.unregister(model)
for label, name in (("knox", gettext_lazy("API tokens")), ("django_tasks_database", gettext_lazy("Background tasks"))):
    apps.get_app_config(label).verbose_name = name


@admin.register(User)
class UserAdmin(DjangoUserAdmin[User], ModelAdmin):
    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        field: Any = super().formfield_for_manytomany(db_field, request, **kwargs)
        if field is not None and db_field.name == "groups":
            signs_in = _("Who is in “%(operators)s” or “%(auditors)s” may sign in here: saving sets the staff status.")
            field.help_text = f"{field.help_text} {signs_in % {'operators': OPERATORS, 'auditors': AUDITORS}}"
        return field

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """The groups of the desk are of use to nobody who cannot sign in to it."""
        super().save_related(request, form, formsets, change)
        user: User = form.instance
        if not user.is_staff and user.groups.filter(name__in=(OPERATORS, AUDITORS)).exists():
            user.is_staff = True
            user.save(update_fields=["is_staff"])


@admin.register(Group)
class GroupAdmin(DjangoGroupAdmin, ModelAdmin):
    pass


class NamedAdmin(ModelAdmin):
    """Calls another package's model by a name of ours: to name it on the model itself would be a migration there."""

    names: tuple[Any, Any]
    """Singular and plural."""

    def __init__(self, model: type[Model], site: admin.AdminSite) -> None:
        super().__init__(model, site)
        self.opts = copy.copy(model._meta)
        self.opts.verbose_name, self.opts.verbose_name_plural = self.names

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return NamedChangeList


class NamedChangeList(HistoryChangeList):
    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(request, *args, **kwargs)
        self.opts = self.model_admin.opts
        self.title = str(capfirst(self.opts.verbose_name_plural))


class TaskStateFilter(WordsFilter):
    title = LABELS["status"]
    parameter_name = "status"
    words = TASK_STATES


@admin.register(DBTaskResult)
class TaskAdmin(DBTaskResultAdmin, NamedAdmin):
    names = (gettext_lazy("background task"), gettext_lazy("background tasks"))
    list_display = columns(
        "task_path", "args_kwargs", "status", "enqueued_at", "started_at", "finished_at", status=TASK_STATES
    )
    list_filter = (TaskStateFilter,)  # type: ignore[assignment]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        return [*self.list_display, *_TASK_DETAILS]

    get_readonly_fields = get_fields


_TASK_DETAILS = columns("queue_name", "priority", "worker_ids", "return_value", "exception_class_path", "traceback")


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnlyAdmin):
    """Who did what, from Django's own log."""

    list_display = ("when", "who", "kind", "about", "said")
    list_select_related = ("user", "content_type")
    list_display_links = None
    list_filter = ("action_flag",)
    fields = readonly_fields = list_display
    search_fields = ("object_repr", "change_message", "user__username")
    ordering = ("-pk",)

    @admin.display(description=gettext_lazy("When"))
    def when(self, entry: LogEntry) -> str:
        return formats.date_format(timezone.localtime(entry.action_time), "SHORT_DATETIME_FORMAT")

    @admin.display(description=gettext_lazy("Who"))
    def who(self, entry: LogEntry) -> str:
        return entry.user.get_username()

    @admin.display(description=gettext_lazy("Kind"))
    def kind(self, entry: LogEntry) -> str:
        """By the name that its pages have here."""
        if entry.content_type is None:
            return ""
        model = entry.content_type.model_class()
        if model is None or not admin.site.is_registered(model):
            return capfirst(entry.content_type.name)
        return str(capfirst(admin.site.get_model_admin(model).opts.verbose_name))

    @admin.display(description=gettext_lazy("Of what"))
    def about(self, entry: LogEntry) -> str:
        return object_of(entry)

    @admin.display(description=gettext_lazy("What"))
    def said(self, entry: LogEntry) -> str:
        return deed_of(entry)


class TokenForm(forms.ModelForm[AuthToken]):
    """Whom the token is for and for how long; the token itself is made when it is stored."""

    days = forms.IntegerField(
        label=gettext_lazy("Valid for so many days"), min_value=1, max_value=3650, widget=UnfoldAdminTextInputWidget()
    )

    class Meta:
        model = AuthToken
        fields = ("user",)
        labels = {"user": gettext_lazy("Of whom")}  # noqa: RUF012 - as Django has it
        widgets = {"user": UnfoldAdminSelectWidget()}  # noqa: RUF012 - as Django has it


def _name_of(token: AuthToken) -> str:
    """By what people see of a token. knox names it by its hash, for the log and for each page to show."""
    return TOKEN_BY_NAME % {"key": token.token_key, "user": token.user.get_username()}


AuthToken.__str__ = _name_of  # type: ignore[method-assign, assignment]


@admin.register(AuthToken)
class AuthTokenAdmin(NamedAdmin):
    """Tokens are made, shown once, and revoked by deleting them; only their hash is stored."""

    names = (gettext_lazy("API token"), gettext_lazy("API tokens"))
    actions = ("revoke",)
    delete_confirmation_template = "summarizer/admin/confirm.html"
    form = TokenForm
    fields = ("user", "days")
    list_display = ("begins_with", "person", "made", "ends")
    list_select_related = ("user",)
    list_display_links = None
    search_fields = ("token_key", "user__username")
    ordering = ("-created",)

    @admin.display(description=gettext_lazy("Begins with"))
    def begins_with(self, token: AuthToken) -> str:
        return f"{token.token_key}…"

    @admin.display(description=gettext_lazy("Of whom"))
    def person(self, token: AuthToken) -> str:
        return str(token.user.get_username())

    @admin.display(description=gettext_lazy("Made"))
    def made(self, token: AuthToken) -> str:
        return formats.date_format(timezone.localtime(token.created), "SHORT_DATETIME_FORMAT")

    @admin.display(description=gettext_lazy("Valid until"))
    def ends(self, token: AuthToken) -> str:
        if token.expiry is None:
            return _("for good")
        shown = formats.date_format(timezone.localtime(token.expiry), "SHORT_DATETIME_FORMAT")
        return _("%(moment)s (expired)") % {"moment": shown} if token.expiry <= timezone.now() else shown

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[AuthToken]:
        """Everybody's for those who may look at users; their own for the others."""
        tokens: QuerySet[AuthToken] = super().get_queryset(request)
        return (
            tokens
            if request.user.has_perm("auth.view_user")
            else tokens.filter(user__username=request.user.get_username())
        )

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """Who is no superuser makes tokens for themselves alone: a token acts as its user."""
        form: Any = super().get_form(request, obj, change, **kwargs)
        if "user" in form.base_fields:
            users = User.objects.filter(is_active=True)
            users = users if request.user.is_superuser else users.filter(username=request.user.get_username())
            field = form.base_fields["user"]
            field.queryset, field.initial = users, request.user.pk
            form.base_fields["days"].initial = settings.API_TOKEN_DAYS
        return form

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """One token at a time: it is shown once, on the page that follows."""
        one = {"show_save_and_add_another": False, "show_save_and_continue": False}
        response: HttpResponse = super().add_view(request, form_url, {**(extra_context or {}), **one})
        return response

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return self.fields if obj is None else self.list_display

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return () if obj is None else self.list_display

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Django's own would speak of deleting objects."""
        return {name: action for name, action in super().get_actions(request).items() if name != "delete_selected"}

    @admin.action(description=gettext_lazy("Revoke …"), permissions=["delete"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[AuthToken]) -> TemplateResponse | None:
        tokens: Any = list(queryset.select_related("user"))
        if "confirmed" not in request.POST:
            chosen = [(ACTION_CHECKBOX_NAME, token.pk) for token in tokens]
            context = self.admin_site.each_context(request) | _question(tokens) | {"opts": self.opts}
            context["again"] = [("action", "revoke"), *chosen]
            return TemplateResponse(request, "summarizer/admin/confirm.html", context)
        self.log_deletions(request, tokens)
        queryset.delete()
        for token in tokens:
            messages.success(request, _("Revoked: %(token)s.") % {"token": told(str(token))})
        return None

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        return LogEntry.objects.log_actions(request.user.pk or 0, queryset, DELETION, REVOKED)

    def render_delete_form(self, request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
        response: HttpResponse = super().render_delete_form(request, context | _question([context["object"]]))
        return response

    def response_delete(self, request: HttpRequest, obj_display: str, obj_id: Any) -> HttpResponse:
        messages.success(request, _("Revoked: %(token)s.") % {"token": told(obj_display)})
        return HttpResponseRedirect(_tokens())

    def save_model(self, request: HttpRequest, obj: AuthToken, form: Any, change: bool) -> None:
        days = timedelta(days=form.cleaned_data["days"])
        stored, token = AuthToken.objects.create(form.cleaned_data["user"], expiry=days)
        obj.pk, obj.token_key = stored.pk, stored.token_key
        said = _("The token of %(user)s, shown this once: copy it now.") % {"user": stored.user}
        messages.warning(request, format_html("{} <code>{}</code>", said, token))

    def response_add(self, request: HttpRequest, obj: AuthToken, post_url_continue: str | None = None) -> HttpResponse:
        """Back to the list, without Django's own message: it would name the token by its hash."""
        return HttpResponseRedirect(_tokens())


def _tokens() -> str:
    return reverse("admin:knox_authtoken_changelist")


def _question(tokens: list[AuthToken]) -> dict[str, Any]:
    """What a confirmation page says of revoking these tokens."""
    title = ngettext("Revoke this API token?", "Revoke these API tokens?", len(tokens))
    return {
        "title": title,
        "facts": [(f"{token.token_key}…", token.user.get_username()) for token in tokens],
        "note": _("Programs that use it are refused from now on. It cannot be brought back; a new one can be made."),
        "button": _("Revoke"),
        "danger": True,
        "back": _tokens(),
    }
