from django.urls import path

from backoffice.evidencedesk.views import AskStreamView, AskView, ask_page

urlpatterns = [
    path("ask", AskView.as_view(), name="ask"),
    path("ask/stream", AskStreamView.as_view(), name="ask-stream"),
    path("ask/", ask_page, name="ask-page"),
]
