from django.urls import path

from summarizer.views import BatchView, RunStatusView

urlpatterns = [
    path("batch", BatchView.as_view(), name="summarise-batch"),
    path("runs/<int:run_id>", RunStatusView.as_view(), name="run-status"),
]
