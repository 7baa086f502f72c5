"""Any request that no other part knows: a short answer of the form that was asked for."""

from backoffice.llm.scripted.chat_request import ChatRequest
from backoffice.llm.scripted.replies import Reply, text_reply

ANSWER = "This is the scripted model: it answers the same request with the same words and needs no key."


def plays(_request: ChatRequest) -> bool:
    return True


def reply(request: ChatRequest) -> Reply:
    return text_reply(ANSWER if request.response_format is None else "{}")
