"""What docs/scripted-model.md tells a developer to write, written."""

import re
from pathlib import Path
from typing import Any

PAGE = (Path(__file__).parents[3] / "docs" / "scripted-model.md").read_text(encoding="utf-8")


async def test_the_example_for_tests_makes_a_client_and_tells_how_each_answer_ended() -> None:
    [example] = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    names: dict[str, Any] = {}
    exec(example, names)
    async with names["client"] as client:
        completion = await client.chat.completions.create(model="any", messages=[{"role": "user", "content": "Hello"}])
    assert completion.choices[0].message.content
    assert [(exchange.status, exchange.ended) for exchange in names["exchanges"]] == [(503, "sent"), (200, "sent")]
