"""Pages that everybody may open: plain HTML, one script, one style sheet, and a policy that allows nothing else.

They know no user, no session and no database, so an event loop renders them at once. What a page needs beyond its
template it gets from the API, like any other client.
"""

from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""Content Security Policy Level 3. No inline script, no inline style, no other host; a form is sent by the script."""

HEADERS = {"Content-Security-Policy": CONTENT_SECURITY_POLICY, "Cache-Control": "no-cache"}


def public_page(
    template: str, context: Mapping[str, Any] | None = None
) -> Callable[[HttpRequest], Coroutine[Any, Any, HttpResponse]]:
    """A view for GET and HEAD that renders `template`; it is given `context` and nothing of the request."""

    @require_safe
    async def page(_request: HttpRequest) -> HttpResponse:
        return HttpResponse(render_to_string(template, dict(context or {})), headers=HEADERS)

    return page
