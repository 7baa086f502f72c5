"""POST /ask: an answer that the documents back is shown, and nothing else is."""

import json
from collections.abc import Callable

import pytest

from tests.evidencedesk.desk import APOLOGY, WITHHELD, Desk, abstained, answered, says
from tests.llm.streams import Player

Play = Callable[..., Player]


async def test_a_backed_answer_is_shown_with_the_sentence_that_backs_it(desk: Desk, play: Play) -> None:
    play(says(answered("Invoices are payable within 30 days.")))
    passage = "Invoices are payable within 30 days."
    assert await desk.ask() == {
        "answer": "Invoices are payable within 30 days.",
        "cited_ids": ["terms"],
        "confidence": "high",
        "status": "answered",
        "ok": True,
        "code": "ok",
        "citations": [{"id": "terms", "title": "Payment terms", "passage": passage}],
    }


async def test_an_abstention_is_shown_without_citations(desk: Desk, play: Play) -> None:
    play(says(abstained("The documents do not say.")))
    body = await desk.ask()
    assert (body["ok"], body["code"], body["status"]) == (True, "ok", "abstained")
    assert (body["answer"], body["citations"]) == ("The documents do not say.", [])


async def test_a_document_cited_twice_is_shown_once(desk: Desk, play: Play) -> None:
    play(says(answered("Within 30 days.", "terms", "terms")))
    body = await desk.ask()
    assert body["cited_ids"] == ["terms"]
    assert [citation["id"] for citation in body["citations"]] == ["terms"]


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (answered("Within 30 days.", "no-such-id"), "unsupported"),
        (answered("Within 45 days.", "old-terms"), "unsupported"),
        (answered("Within 20 days.", "next-terms"), "unsupported"),
        (answered("It costs 7 EUR.", "lunch"), "unsupported"),
        (answered("Within 30 days.", "terms", "old-terms"), "unsupported"),
        (answered("Within 45 days."), "unsupported"),
        (answered("Within 13 days."), "unsupported"),
        (answered("Above 250 EUR."), "unsupported"),
        (answered("Within ৪৫ days."), "unsupported"),
        (abstained("The documents name 30 days."), "unsupported"),
        (answered("Within 30 million days."), "unsupported"),
        (answered(" \u200b\n"), "unsupported"),
    ],
)
async def test_what_the_documents_do_not_back_is_withheld(desk: Desk, play: Play, answer: str, code: str) -> None:
    player = play(says(answer))
    assert await desk.ask() == {**WITHHELD, "code": code}
    assert len(player.calls) == 1


@pytest.mark.parametrize(
    "answer",
    ["Within ৩০ days.", "Above 1.250,50 EUR.", "Above 1 250.5 EUR.", "Above १,२५०.५० EUR.", "Within 130 days."],
)
async def test_a_number_is_the_same_in_every_script_and_notation(desk: Desk, play: Play, answer: str) -> None:
    play(says(answered(answer)))
    assert (await desk.ask())["answer"] == answer


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("Within 30 days.", "invalid_json"),
        (f"```json\n{answered()}\n```", "invalid_json"),
        (f"Sure: {answered()}", "invalid_json"),
        (f"{answered()}{answered()}", "invalid_json"),
        ("", "invalid_json"),
        ("{}", "invalid_schema"),
        (answered(surplus=1), "invalid_schema"),
        (answered(confidence="certain"), "invalid_schema"),
        (answered(status="guessed"), "invalid_schema"),
        (answered(""), "invalid_schema"),
        (answered("x" * 1001), "invalid_schema"),
        (answered(cited_ids=[]), "invalid_schema"),
        (answered(status="abstained"), "invalid_schema"),
        (answered(cited_ids="terms"), "invalid_schema"),
    ],
)
async def test_what_is_not_the_shape_is_asked_for_again_and_then_withheld(
    desk: Desk, play: Play, answer: str, code: str
) -> None:
    player = play(says(answer))
    assert await desk.ask() == {**WITHHELD, "code": code}
    assert len(player.calls) == 2


async def test_a_second_try_that_is_right_is_shown(desk: Desk, play: Play) -> None:
    play(says("Within 30 days."), says(answered()))
    assert (await desk.ask())["ok"]


@pytest.mark.parametrize(("stop", "code"), [("length", "truncated"), ("content_filter", "unusable_stop")])
async def test_an_answer_that_was_cut_off_is_withheld_even_where_it_parses(
    desk: Desk, play: Play, stop: str, code: str
) -> None:
    player = play(says(answered(), stop=stop))
    assert await desk.ask() == {**WITHHELD, "code": code}
    assert len(player.calls) == 1


async def test_a_refusal_is_withheld_and_not_asked_again(desk: Desk, play: Play) -> None:
    player = play(says(refusal="I cannot help with that."))
    assert await desk.ask() == {**WITHHELD, "code": "unusable_stop"}
    assert len(player.calls) == 1


async def test_the_model_is_held_to_the_schema_at_temperature_zero(desk: Desk, play: Play) -> None:
    player = play(says(answered()))
    await desk.ask()
    (body,) = player.bodies
    wanted = body["response_format"]["json_schema"]
    assert (body["temperature"], body["stream"], body["response_format"]["type"]) == (0, True, "json_schema")
    assert (wanted["strict"], wanted["schema"]["additionalProperties"]) == (True, False)
    assert wanted["schema"]["required"] == ["answer", "cited_ids", "confidence", "status"]


async def test_the_question_and_the_retrieved_documents_are_user_text(desk: Desk, play: Play) -> None:
    player = play(says(answered()))
    await desk.ask("When are invoices payable?")
    system, user = player.bodies[0]["messages"]
    assert (system["role"], user["role"]) == ("system", "user")
    assert "payable within" not in system["content"]
    for text in ("When are invoices payable?", "id: terms\nstatus: current\n", "id: old-terms\nstatus: superseded\n"):
        assert text in user["content"]
    assert user["content"].index("id: terms") < user["content"].index("Invoices are payable within 30 days.")
    assert "next-terms" not in user["content"]
    assert "lunch" not in user["content"]


async def test_a_question_without_a_known_word_is_still_asked(desk: Desk, play: Play) -> None:
    player = play(says(abstained()))
    assert (await desk.ask("Zzz?"))["status"] == "abstained"
    assert "id: " not in player.bodies[0]["messages"][1]["content"]


async def test_a_failure_of_the_provider_is_502_and_says_which(desk: Desk, play: Play) -> None:
    play(says("x", stop="error"))
    response = await desk.post({"question": "When?"})
    assert response.status_code == 502
    assert response.json() == {"detail": "The model provider reported an error.", "code": "provider_error"}


async def test_half_a_character_inside_an_answer_is_mended(desk: Desk, play: Play) -> None:
    broken = answered("Within 30 days XX.").replace("XX", "\\ud83d\\u0000")
    assert json.loads(broken)
    play(says(broken))
    assert (await desk.ask())["answer"] == "Within 30 days \ufffd."


async def test_the_apology_gives_away_nothing(desk: Desk, play: Play) -> None:
    play(says(answered("The secret is 99.")))
    body = await desk.ask()
    assert body["answer"] == APOLOGY
    assert "secret" not in json.dumps(body)
