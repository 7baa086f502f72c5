"""The same row by openai-agents: an agent with one tool, its events streamed."""

import contender
from agents import Agent, ModelSettings, OpenAIChatCompletionsModel, Runner, function_tool, set_tracing_disabled
from openai import AsyncOpenAI

TASK = contender.TASK


async def start() -> contender.Work:
    set_tracing_disabled(disabled=True)
    client = AsyncOpenAI(api_key="k", base_url=TASK["base_url"])
    description = TASK["tool"]["function"]["description"]
    agent = Agent(
        name="summarizer",
        instructions=TASK["prompt"],
        model=OpenAIChatCompletionsModel(TASK["model"], client),
        model_settings=ModelSettings(temperature=0, max_tokens=TASK["max_tokens"]),
        tools=[function_tool(contender.normalize_amount, description_override=description)],
    )

    async def row() -> None:
        result = Runner.run_streamed(agent, TASK["note"])
        async for _ in result.stream_events():
            pass
        assert result.final_output

    return contender.each(row)


if __name__ == "__main__":
    contender.run(start)
