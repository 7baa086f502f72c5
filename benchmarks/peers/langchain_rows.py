"""The same row by LangChain: a chat model with one bound tool, its chunks added up, the second call forbidden tools."""

import contender
from langchain_core.messages import HumanMessage, SystemMessage, ToolMessage
from langchain_openai import ChatOpenAI

TASK = contender.TASK


async def start() -> contender.Work:
    model = ChatOpenAI(
        model=TASK["model"],
        base_url=TASK["base_url"],
        api_key="k",
        temperature=0,
        max_tokens=TASK["max_tokens"],
        stream_usage=True,
    )
    asking = model.bind_tools([TASK["tool"]])
    answering = model.bind_tools([TASK["tool"]], tool_choice="none")

    async def row() -> None:
        messages = [SystemMessage(TASK["prompt"]), HumanMessage(TASK["note"])]
        said = None
        async for chunk in asking.astream(messages):
            said = chunk if said is None else said + chunk
        messages.append(said)
        messages += [
            ToolMessage(contender.normalize_amount(**call["args"]), tool_call_id=call["id"]) for call in said.tool_calls
        ]
        text = "".join([chunk.text async for chunk in answering.astream(messages)])
        assert text

    return contender.each(row)


if __name__ == "__main__":
    contender.run(start)
