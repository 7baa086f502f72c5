from django.urls import path

from summarizer.views import BatchView, RunCancelView, RunEventsView, RunStatusView

urlpatterns = [
    path("batch", BatchView.as_view(), name="summarise-batch"),
    path("runs/<int:run_id>", RunStatusView.as_view(), name="run-status"),
    path("runs/<int:run_id>/events", RunEventsView.as_view(), name="run-events"),
    path("runs/<int:run_id>/cancel", RunCancelView.as_view(), name="run-cancel"),
]
