"""Admin of the house itself: people, groups, API tokens, background tasks and the log, in the look of the desk."""

from datetime import timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.models import LogEntry
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group, User
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_tasks_db.admin import DBTaskResultAdmin
from django_tasks_db.models import DBTaskResult
from knox.models import AuthToken
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from backoffice.audit.admin import ReadOnlyAdmin

for model in (User, Group, AuthToken, DBTaskResult):
    admin.site.unregister(model)


@admin.register(User)
class UserAdmin(DjangoUserAdmin[User], ModelAdmin):
    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm


@admin.register(Group)
class GroupAdmin(DjangoGroupAdmin, ModelAdmin):
    pass


@admin.register(DBTaskResult)
class TaskAdmin(DBTaskResultAdmin, ModelAdmin):
    pass


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnlyAdmin):
    """Who did what, from Django's own log."""

    list_display = ("action_time", "user", "content_type", "object_repr", "said")
    list_select_related = ("user", "content_type")
    list_display_links = None
    list_filter = ("action_flag",)
    search_fields = ("object_repr", "change_message", "user__username")
    ordering = ("-pk",)

    @admin.display(description=gettext_lazy("What"))
    def said(self, entry: LogEntry) -> str:
        return entry.get_change_message() or entry.get_action_flag_display()


class TokenForm(forms.ModelForm[AuthToken]):
    """Whom the token is for and for how long; the token itself is made when it is stored."""

    days = forms.IntegerField(
        label=gettext_lazy("Valid for so many days"), min_value=1, max_value=3650, widget=UnfoldAdminTextInputWidget()
    )

    class Meta:
        model = AuthToken
        fields = ("user",)
        widgets = {"user": UnfoldAdminSelectWidget()}  # noqa: RUF012 - as Django has it


@admin.register(AuthToken)
class AuthTokenAdmin(ModelAdmin):
    """Tokens are made, shown once, and revoked by deleting them; only their hash is stored."""

    form = TokenForm
    fields = ("user", "days")
    list_display = ("begins_with", "user", "created", "expiry")
    list_select_related = ("user",)
    list_display_links = None
    search_fields = ("token_key", "user__username")
    ordering = ("-created",)

    @admin.display(description=gettext_lazy("Begins with"))
    def begins_with(self, token: AuthToken) -> str:
        return f"{token.token_key}…"

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

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return self.fields if obj is None else ("token_key", "user", "created", "expiry")

    def save_model(self, request: HttpRequest, obj: AuthToken, form: Any, change: bool) -> None:
        days = timedelta(days=form.cleaned_data["days"])
        stored, token = AuthToken.objects.create(form.cleaned_data["user"], expiry=days)
        obj.pk = stored.pk
        said = _("The token of %(user)s, shown this once: copy it now.") % {"user": stored.user}
        messages.warning(request, format_html("{} <code>{}</code>", said, token))

    def response_add(self, request: HttpRequest, obj: AuthToken, post_url_continue: str | None = None) -> HttpResponse:
        """Back to the list, without Django's own message: it would name the token by its hash."""
        return HttpResponseRedirect(reverse("admin:knox_authtoken_changelist"))
