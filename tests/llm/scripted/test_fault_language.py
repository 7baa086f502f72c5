"""The small language in which a fault is asked for."""

import pytest

from backoffice.llm.scripted.faults import Fault, UnknownFaultError, marked_faults, parse_faults, without_markers


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("", ()),
        (" ; ", ()),
        ("429", (Fault("429"),)),
        ("429=2*3@1", (Fault("429", "2", 3, 1),)),
        ("drop-mid; delay=0.05", (Fault("drop-mid"), Fault("delay", "0.05"))),
        ("stop=error", (Fault("stop", "error"),)),
        ("stop=", (Fault("stop", ""),)),
        ("stall", (Fault("stall"),)),
    ],
)
def test_faults_are_read(text: str, faults: tuple[Fault, ...]) -> None:
    assert parse_faults(text) == faults


@pytest.mark.parametrize("text", ["429=2*3@1", "drop-mid", "stop=", "ttft=0.5@2", "503*1"])
def test_a_fault_is_written_as_it_was_asked_for(text: str) -> None:
    assert str(parse_faults(text)[0]) == text


@pytest.mark.parametrize(
    "text",
    ["teapot", "429=soon", "200", "600", "drop=3", "delay", "delay=-1", "ttft=", "429**2", "429*x", "drop mid", "=2"],
)
def test_what_is_no_fault_is_named(text: str) -> None:
    with pytest.raises(UnknownFaultError, match=repr(text).replace("*", r"\*")):
        parse_faults(f"drop; {text}")


@pytest.mark.parametrize(
    ("text", "call", "attempt", "strikes"),
    [
        ("drop", 1, 1, True),
        ("drop", 7, 9, True),
        ("drop*2", 1, 2, True),
        ("drop*2", 1, 3, False),
        ("drop@2", 1, 1, False),
        ("drop@2", 2, 1, True),
        ("drop*1@2", 2, 2, False),
    ],
)
def test_a_fault_strikes_the_attempts_and_the_call_it_names(text: str, call: int, attempt: int, strikes: bool) -> None:
    assert parse_faults(text)[0].strikes(call, attempt) is strikes


def test_markers_in_a_text_ask_for_faults() -> None:
    text = "Invoice [[fault: 429*2]] from Acme [[Fault:drop-mid; delay=1]]"
    assert marked_faults(text) == (Fault("429", None, 2), Fault("drop-mid"), Fault("delay", "1"))
    assert without_markers(text).split() == ["Invoice", "from", "Acme"]


def test_a_text_without_markers_asks_for_none() -> None:
    assert marked_faults("an invoice [fault: 429] of 500 EUR") == ()
