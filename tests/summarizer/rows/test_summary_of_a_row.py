"""Which text becomes the summary, and what a person should look at in it."""

from collections.abc import Callable

import pytest

from backoffice.llm.client import ModelConfig
from backoffice.llm.scripted.replies import Reply
from summarizer.rows import summarise
from tests.summarizer.provider import Provider, asking_for, text_reply

NOTE = "Invoice 7 over 1 200,50 EUR."

ConfigFor = Callable[..., ModelConfig]


async def test_without_tool_calls_the_first_text_is_the_summary(config_for: ConfigFor) -> None:
    result = await summarise(NOTE, config_for(Provider(text_reply("Eine Rechnung über 7."))))
    assert (result.summary, result.failure, result.warnings) == ("Eine Rechnung über 7.", None, ())


async def test_text_around_a_tool_call_never_becomes_part_of_the_summary(config_for: ConfigFor) -> None:
    provider = Provider(asking_for("1 200,50 EUR", text="I will normalize the amount."), text_reply("An invoice."))
    result = await summarise(NOTE, config_for(provider))
    assert result.summary == "An invoice."


async def test_where_the_follow_up_says_nothing_the_earlier_text_does_not_take_its_place(
    config_for: ConfigFor,
) -> None:
    provider = Provider(asking_for("1 200,50 EUR", text="I will normalize the amount."), Reply(text=""))
    result = await summarise(NOTE, config_for(provider))
    assert (result.summary, result.warnings) == ("", ("empty",))


async def test_a_summary_is_kept_as_the_model_wrote_it(config_for: ConfigFor) -> None:
    said = "  Zwei\nZeilen – 日本語 👩‍👩‍👧 \t"
    result = await summarise(NOTE, config_for(Provider(text_reply(said))))
    assert result.summary == said


REFUSAL = "I cannot help with that."


@pytest.mark.parametrize(
    ("reply", "summary", "warnings"),
    [
        (Reply("Half a sent", stop_reason="length"), "Half a sent", ("truncated",)),
        (Reply("A sentence.", stop_reason="content_filter"), "A sentence.", ("content_filter",)),
        (Reply(" \n", stop_reason="stop"), " \n", ("empty",)),
        (Reply(None), "", ("empty",)),
        (Reply("", stop_reason="length"), "", ("truncated", "empty")),
        (Reply(None, refusal=REFUSAL), "", ("refused",)),
        (Reply("Sorry.", refusal=REFUSAL), "Sorry.", ("refused",)),
        (Reply(None, refusal=REFUSAL, stop_reason="content_filter"), "", ("refused",)),
    ],
    ids=["length", "filter", "blank", "none", "cut before", "refusal", "refusal and text", "filtered refusal"],
)
async def test_a_doubtful_summary_is_delivered_with_a_warning(
    config_for: ConfigFor, reply: Reply, summary: str, warnings: tuple[str, ...]
) -> None:
    result = await summarise("A note.", config_for(Provider(reply)))
    assert (result.summary, result.failure, result.warnings) == (summary, None, warnings)


async def test_a_number_that_nothing_backs_is_marked(config_for: ConfigFor) -> None:
    result = await summarise(NOTE, config_for(Provider(text_reply("An invoice over 9999.99 EUR."))))
    assert result.warnings == ("unsupported_number",)


async def test_a_number_from_a_tool_result_is_backed(config_for: ConfigFor) -> None:
    provider = Provider(asking_for("1 200,50 EUR"), text_reply("An invoice over 1200.50 EUR."))
    assert (await summarise(NOTE, config_for(provider))).warnings == ()


async def test_warnings_speak_of_the_call_that_gave_the_summary(config_for: ConfigFor) -> None:
    first = asking_for("1 200,50 EUR")
    cut = Reply(text="Thinking about 555", calls=first.calls, stop_reason="length", refusal=REFUSAL)
    result = await summarise(NOTE, config_for(Provider(cut, text_reply("An invoice."))))
    assert (result.summary, result.warnings) == ("An invoice.", ())
