"""Our row with nothing stored: `summarizer.rows` alone."""

import ours  # noqa: F401 - it sets Django up
from contender import TASK, Work, each, run

from backoffice.llm.client import model_config
from summarizer.rows import summarise


async def start() -> Work:
    config = model_config()

    async def row() -> None:
        result = await summarise(TASK["note"], config)
        assert result.summary, result.failure

    return each(row)


if __name__ == "__main__":
    run(start)
