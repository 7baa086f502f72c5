from django.urls import path

from weatherbot.views import ChatStreamView, ChatView, chat_page

urlpatterns = [
    path("", chat_page, name="weather-page"),
    path("chat", ChatView.as_view(), name="weather-chat"),
    path("chat/stream", ChatStreamView.as_view(), name="weather-chat-stream"),
]
