"""The smallest weather chat: FastAPI, one loop over the SDK, nothing checked beyond the body, nothing stored.

`BENCHMARK_CLIENT` says over which of the SDK's HTTP clients: `default` or `aiohttp`.
"""

import json
import os
from typing import Annotated, Any

from contender import TASK
from fastapi import FastAPI
from openai import AsyncOpenAI, DefaultAioHttpClient
from pydantic import BaseModel, StringConstraints

app = FastAPI()
http_client = DefaultAioHttpClient() if os.environ["BENCHMARK_CLIENT"] == "aiohttp" else None
client = AsyncOpenAI(api_key="k", base_url=TASK["base_url"], http_client=http_client)


class Chat(BaseModel):
    message: Annotated[str, StringConstraints(min_length=1, max_length=2000)]


def get_weather(location: str, units: str = "celsius", forecast_days: int = 1) -> dict[str, Any]:
    return {"place": location, "temperature": 21.5, "units": units, "days": [{"max": 23, "min": 12}] * forecast_days}


@app.post("/weather/chat")
async def weather_chat(chat: Chat) -> dict[str, str]:
    messages: list[Any] = [{"role": "system", "content": TASK["prompt"]}, {"role": "user", "content": chat.message}]
    for call_number in range(1, 6):
        text, calls = await ask(messages, **({"tool_choice": "none"} if call_number == 5 else {}))
        if not calls:
            return {"answer": text}
        messages.append({"role": "assistant", "content": text or None, "tool_calls": calls})
        for call in calls:
            result = get_weather(**json.loads(call["function"]["arguments"]))
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": json.dumps(result)})
    return {"answer": ""}


async def ask(messages: list[Any], **more: Any) -> tuple[str, list[Any]]:
    stream = await client.chat.completions.create(
        model=TASK["model"],
        messages=messages,
        tools=[TASK["tool"]],
        stream=True,
        stream_options={"include_usage": True},
        temperature=0,
        max_tokens=TASK["max_tokens"],
        **more,
    )
    text: list[str] = []
    calls: dict[int, Any] = {}
    async for chunk in stream:
        for choice in chunk.choices:
            text.append(choice.delta.content or "")
            for part in choice.delta.tool_calls or ():
                blank = {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}
                call = calls.setdefault(part.index, blank)
                call["id"] += part.id or ""
                call["function"]["name"] += part.function.name or ""
                call["function"]["arguments"] += part.function.arguments or ""
    return "".join(text), list(calls.values())
