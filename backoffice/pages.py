"""Pages that everybody may open: plain HTML, one script, one style sheet, and a policy that allows nothing else.

They know no user, no session and no database, so an event loop renders them at once. What a page needs beyond its
template it gets from the API, like any other client.
"""

from collections.abc import Callable, Coroutine
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.csrf import csrf_exempt
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


def question_page(
    template: str, title: str, icon: str, max_question: int
) -> Callable[[HttpRequest], Coroutine[Any, Any, HttpResponse]]:
    """A view for GET and HEAD of a page that takes questions of at most `max_question` characters.

    `template` extends `backoffice/question_page.html`; `icon` is the path of a static file.
    """
    context = {"title": title, "icon": icon, "max_question": max_question}

    @csrf_exempt
    @require_safe
    async def page(_request: HttpRequest) -> HttpResponse:
        return HttpResponse(render_to_string(template, context), headers=HEADERS)

    return page
