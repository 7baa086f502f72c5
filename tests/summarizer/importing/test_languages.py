"""Reasons are in the language that is active while a file is read: English for programs, the operator's on the desk."""

import json
from pathlib import Path

import pytest
from django.utils import translation

from backoffice.llm import strict_json
from summarizer.importing import Columns, NoteFormat, UnreadableFile, format_of
from summarizer.importing.checking import MAX_BAD_LINES
from summarizer.importing.json_problems import problem_in
from tests.process.programs import finished, programs

from .files import HEADER, only_complaint, read, workbook

CSV, JSON, JSONL, XLSX = NoteFormat.CSV, NoteFormat.JSON, NoteFormat.JSONL, NoteFormat.XLSX
LONG = "x" * 4213

GERMAN_REASONS = [
    (HEADER + "x,a\n", CSV, "in Zeile 2: row_id muss eine ganze Zahl von 1 bis 10000 sein, nicht der Text „x“"),
    (HEADER + "0,a\n", CSV, "in Zeile 2: row_id 0 liegt außerhalb des Bereichs: erlaubt ist 1 bis 10000"),
    (HEADER + ",a\n", CSV, "in Zeile 2: row_id ist leer"),
    (HEADER + f"1,{LONG}\n", CSV, "in Zeile 2: text hat 4.213 Zeichen: erlaubt sind 4.000"),
    (HEADER + "1,a\n1,b\n", CSV, "in Zeile 3: row_id 1 kommt zweimal vor, zuerst in Zeile 2"),
    (HEADER + "1\n", CSV, "in Zeile 2: nur 1 der 2 Spalten der Kopfzeile ist da"),
    ("id,a,text\n1,2\n", CSV, "in Zeile 2: nur 2 der 3 Spalten der Kopfzeile sind da"),
    (
        "id,Memo,Note\n1,a,b\n",
        CSV,
        "in Zeile 1: 2 Spalten kommen als text infrage: „Memo“, „Note“; nennen Sie nur eine so",
    ),
    (
        HEADER + '1,"a\n2,b\n',
        CSV,
        "in Zeile 2: ein Text beginnt mit einem Anführungszeichen, das nie geschlossen wird "
        "(die Zeilen 2 bis 3 wurden als eine gelesen)",
    ),
    ('[{"row_id": 1, "text": "a", "sum": 2}]', JSON, "im Eintrag 1: „sum“ ist keine Angabe einer Notiz"),
    (
        '[{"row_id": [], "text": "a"}]',
        JSON,
        "im Eintrag 1: row_id muss eine ganze Zahl von 1 bis 10000 sein, nicht eine",
    ),
    ("[{}]", JSON, "im Eintrag 1: row_id fehlt; text fehlt"),
    ('{"row_id": 1 "text"}\n', JSONL, "in Zeile 1: kein gültiges JSON: ein Komma fehlt, bei Zeichen 14"),
    (workbook(("row_id", "text"), (1, 5)), XLSX, "in Zeile 2: text muss Text sein, nicht die Zahl 5"),
]


@pytest.mark.parametrize(("data", "note_format", "complaint"), GERMAN_REASONS)
def test_a_german_reader_gets_german_reasons(data: str | bytes, note_format: NoteFormat, complaint: str) -> None:
    with translation.override("de"):
        assert only_complaint(read(data, note_format)).startswith(complaint)


def test_the_end_of_a_hopeless_file_is_told_in_german() -> None:
    with translation.override("de"):
        *_others, last = read(HEADER + "0,a\n" * (MAX_BAD_LINES + 1)).complaints()
    assert last.endswith("10.000 Zeilen sind fehlerhaft: hier wurde nicht weitergelesen")


@pytest.mark.parametrize(
    ("data", "note_format", "reason"),
    [
        ("[\n1 2]", JSON, "kein gültiges JSON: ein Komma fehlt, in Zeile 2 bei Zeichen 3"),
        (b"\x81\x8d" * 3, CSV, "kein Text in UTF-8, UTF-16 oder Windows-1252 (siehe Byte 1)"),
        (b"nothing", XLSX, "keine Excel-Arbeitsmappe"),
        (b"PK\x03\x04", CSV, "kein CSV, sondern ein Archiv"),
        ("{}", JSON, "das JSON muss eine Liste"),
    ],
)
def test_what_cannot_be_read_is_refused_in_german(data: str | bytes, note_format: NoteFormat, reason: str) -> None:
    with translation.override("de"), pytest.raises(UnreadableFile) as refused:
        read(data, note_format)
    assert reason in str(refused.value)


def test_a_name_without_a_format_and_a_choice_that_is_none_are_refused_in_german() -> None:
    with translation.override("de"):
        with pytest.raises(UnreadableFile, match=r"der Name „notes\.pdf“ lässt das Format nicht erkennen"):
            format_of("notes.pdf")
        with pytest.raises(UnreadableFile, match="Spalten lassen sich nur bei CSV und XLSX wählen"):
            read("[]", JSON, Columns("a", "b"))


BROKEN = [
    "", "{", "{1: 2}", '{"a"}', "[1 2]", '"abc', '"a\x01"', '"\\x"', '"\\u12"', "1 2", "NaN", "[-Infinity]", "[1,]",
    '{"a": 1,}', "[" * 100_000, "9" * 5000, '{"a": 1, "a": 2}',
]  # fmt: skip


@pytest.mark.parametrize("text", BROKEN, ids=[text[:10] for text in BROKEN])
def test_no_problem_with_json_is_told_in_the_parsers_own_english(text: str) -> None:
    """Whatever this Python's parser says, which changes with its version."""
    with pytest.raises(strict_json.InvalidJSON) as broken:
        strict_json.loads(text, unique_keys=True)
    english = problem_in(broken.value)
    with translation.override("de"):
        german = problem_in(broken.value)
    assert english.split(" at ")[0] not in german
    assert str(broken.value).split(" at ")[0] not in german


def test_words_of_a_parser_that_nobody_translated_are_shown_as_they_are() -> None:
    with translation.override("de"):
        placed = problem_in(strict_json.InvalidJSON("Unheard of at line 2, column 3"))
        assert placed == "Unheard of, in Zeile 2 bei Zeichen 3"
        assert problem_in(strict_json.InvalidJSON("unheard of")) == "unheard of"


def test_a_text_that_looks_like_a_placeholder_is_quoted_as_it_is() -> None:
    assert only_complaint(read(HEADER + "%(most)s,a\n")).endswith('not the text "%(most)s"')
    assert only_complaint(read(json.dumps([{"row_id": 1, "text": "a", "100%s": 1}]), JSON)).startswith(
        'in item 1: "100%s" is not'
    )


def refusal(file: Path, **environment: str) -> str:
    german = {"LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8", "LANGUAGE": "de"}
    with programs(LLM_PROVIDER="scripted", **{**german, **environment}) as running:
        status, said = finished(running.job("--input", str(file)))
    assert status == 1
    return said


def test_the_nightly_job_speaks_english_whatever_the_language_of_its_shell(tmp_path: Path) -> None:
    file = tmp_path / "notes.csv"
    file.write_text(HEADER + f"1,{LONG}\n", encoding="utf-8")
    assert "on line 2: text has 4,213 characters: 4,000 are allowed" in refusal(file)


def test_the_nightly_job_speaks_the_projects_language(tmp_path: Path) -> None:
    file = tmp_path / "notes.csv"
    file.write_text(HEADER + f"1,{LONG}\n", encoding="utf-8")
    said = refusal(file, DJANGO_LANGUAGE_CODE="de")
    assert "in Zeile 2: text hat 4.213 Zeichen: erlaubt sind 4.000" in said
