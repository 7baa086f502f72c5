"""The same row by pydantic-ai: an agent with one tool, its answer streamed."""

import contender
from openai import AsyncOpenAI
from pydantic_ai import Agent, Tool
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

TASK = contender.TASK


async def start() -> contender.Work:
    client = AsyncOpenAI(api_key="k", base_url=TASK["base_url"])
    agent = Agent(
        OpenAIChatModel(TASK["model"], provider=OpenAIProvider(openai_client=client)),
        instructions=TASK["prompt"],
        tools=[Tool(contender.normalize_amount, description=TASK["tool"]["function"]["description"])],
        model_settings={"temperature": 0, "max_tokens": TASK["max_tokens"]},
    )

    async def row() -> None:
        async with agent.run_stream(TASK["note"]) as result:
            text = "".join([piece async for piece in result.stream_text(delta=True, debounce_by=None)])
        assert text

    return contender.each(row)


if __name__ == "__main__":
    contender.run(start)
