from django.urls import path

from backoffice.evidencedesk.views import AskPageView, AskStreamView, AskView

urlpatterns = [
    path("ask", AskView.as_view(), name="ask"),
    path("ask/stream", AskStreamView.as_view(), name="ask-stream"),
    path("ask/", AskPageView.as_view(), name="ask-page"),
]
