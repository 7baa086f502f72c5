"""The sample notes are what a back office would really have, and the bad night shows what it promises."""

import unicodedata
from pathlib import Path

import pytest

import summarizer
from backoffice.llm.scripted.faults import marked_faults
from summarizer.importing import Note, Notes, read_notes

SAMPLES = Path(summarizer.__file__).parent / "samples"


def sample(name: str) -> Notes:
    return read_notes(SAMPLES / name)


def texts(name: str) -> list[str]:
    return [note.text for note in sample(name).notes]


@pytest.mark.parametrize(("name", "rows"), [("notes.csv", 40), ("bad_night.csv", 10)])
def test_every_sample_is_a_valid_note(name: str, rows: int) -> None:
    notes = sample(name)

    assert list(notes.complaints()) == []
    assert len(notes.notes) == rows
    assert notes.layout.encoding == "utf-8"


def test_the_samples_can_be_imported_together() -> None:
    row_ids = [note.row_id for name in ("notes.csv", "bad_night.csv") for note in sample(name).notes]

    assert len(set(row_ids)) == 50


@pytest.mark.parametrize(
    "amount",
    [
        "1 200,50 EUR",
        "$1,200.50",
        "EUR 1200",
        "CHF 1'200.–",
        "₹1,20,000",
        "1.234,5 €",
        "3\u202f480,00\u00a0€",
        "2 459,99 zł",
        "12 450,00 SEK",
        "৳85,000.00",
        "KWD 1,062.375",
        "JPY 385,000",
        "-$150.00",
    ],
)
def test_each_usual_notation_of_an_amount_is_in_a_sample(amount: str) -> None:
    assert any(amount in text for text in texts("notes.csv"))


@pytest.mark.parametrize(
    "word", ["Invoice", "Rechnung", "Facture", "Faktura", "Usługi", "চালান", "Factura", "बिल"], ids=lambda word: word
)
def test_a_note_of_each_language_is_among_the_samples(word: str) -> None:
    assert any(word in text for text in texts("notes.csv"))


@pytest.mark.parametrize(
    "beside", ["IBAN", "%", "2024-01-22", "15.02.2024", "INV-2024-0117", "Ignore all previous", '"']
)
def test_what_confuses_readers_stands_beside_amounts(beside: str) -> None:
    assert any(beside in text for text in texts("notes.csv"))


def test_an_emoji_and_a_note_of_several_lines_are_among_the_samples() -> None:
    assert any(unicodedata.category(character) == "So" for text in texts("notes.csv") for character in text)
    assert any(text.count("\n") > 1 for text in texts("notes.csv"))


def test_no_fault_is_asked_for_among_the_good_notes() -> None:
    assert [text for text in texts("notes.csv") if marked_faults(text)] == []


def test_the_bad_night_has_an_endless_limit_a_cut_stream_a_broken_chunk_and_a_limit_that_ends() -> None:
    faults = [fault for text in texts("bad_night.csv") for fault in marked_faults(text)]

    assert [(fault.name, fault.times) for fault in faults] == [
        ("429", None),
        ("drop-mid", None),
        ("malformed", None),
        ("429", 2),
    ]
    assert sum(_is_untouched(note) for note in sample("bad_night.csv").notes) == 6


def _is_untouched(note: Note) -> bool:
    return "[[" not in note.text
