"""What the chat's endpoints take and give."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from backoffice.api.fields import REFUSE_LONE_SURROGATES, REFUSE_NUL

MAX_MESSAGE = 2_000  # characters, that is Unicode code points


class ChatIn(BaseModel):
    """The body of `POST /weather/chat` and of `POST /weather/chat/stream`."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    message: Annotated[str, Field(min_length=1, max_length=MAX_MESSAGE), REFUSE_LONE_SURROGATES, REFUSE_NUL]


class ChatOut(BaseModel):
    answer: str


STREAM_DESCRIPTION = """\
Server-sent events, each one line of JSON:

- `chunk` `{"text": string}`: a piece of text, as it arrives;
- `tool` `{"name": string}`: the weather is being looked up. What came before is no answer; clear it;
- `done` `{"stop_reason": "end" | "length" | "content_filter" | "tool_calls", \
"usage": {"input_tokens": integer | null, "output_tokens": integer | null}}`: the last event of a good stream. \
The chunks after the last `tool`, joined, are the answer;
- `error` `{"text": "upstream failed"}`: the last event of a stream that failed; there is no answer.

A comment line is sent while the model is silent. A stream that ends with neither `done` nor `error` was cut off.
"""
STREAM_EXAMPLE = """\
event: tool
data: {"name":"get_weather"}

event: chunk
data: {"text":"Oslo, Norway: 3 °C"}

event: chunk
data: {"text":" and light snow."}

event: done
data: {"stop_reason":"end","usage":{"input_tokens":934,"output_tokens":41}}

"""
