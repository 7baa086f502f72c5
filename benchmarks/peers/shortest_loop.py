"""The shortest loop that does a row with the SDK: no limits, no checks, nothing stored. The measure of all others."""

import json
from typing import Any

from contender import TASK, Work, each, normalize_amount, run
from openai import AsyncOpenAI


async def ask(client: AsyncOpenAI, messages: list[Any], **more: Any) -> tuple[str, dict[int, dict[str, str]]]:
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
    calls: dict[int, dict[str, str]] = {}
    async for chunk in stream:
        for choice in chunk.choices:
            text.append(choice.delta.content or "")
            for part in choice.delta.tool_calls or ():
                call = calls.setdefault(part.index, {"id": "", "name": "", "arguments": ""})
                call["id"] += part.id or ""
                call["name"] += part.function.name or ""
                call["arguments"] += part.function.arguments or ""
    return "".join(text), calls


async def summarise(client: AsyncOpenAI) -> str:
    messages: list[Any] = [
        {"role": "system", "content": TASK["prompt"]},
        {"role": "user", "content": TASK["note"]},
    ]
    text, calls = await ask(client, messages)
    if not calls:
        return text
    asked = [
        {"id": call["id"], "type": "function", "function": {"name": call["name"], "arguments": call["arguments"]}}
        for call in calls.values()
    ]
    messages.append({"role": "assistant", "content": text or None, "tool_calls": asked})
    for call in calls.values():
        result = normalize_amount(**json.loads(call["arguments"]))
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
    return (await ask(client, messages, tool_choice="none"))[0]


async def start() -> Work:
    client = AsyncOpenAI(api_key="k", base_url=TASK["base_url"])
    return each(lambda: summarise(client))


if __name__ == "__main__":
    run(start)
