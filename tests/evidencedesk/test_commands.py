"""What operators run on the corpus and on saved streams."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.core.management.base import SystemCheckError
from pytest_django import Settings

from tests.evidencedesk.desk import write_document
from tests.wire.player import CASES


def _said(*command: Any, **options: Any) -> str:
    out = StringIO()
    call_command(*command, stdout=out, **options)
    return out.getvalue()


def test_a_sound_corpus_is_said_to_be_so(corpus: Path) -> None:
    assert _said("check_corpus") == "4 documents, no fault.\n"


def test_each_fault_has_a_line_of_its_own(corpus: Path) -> None:
    write_document(corpus, "a", "Text", "valid")
    write_document(corpus, "b", "")
    out = StringIO()
    with pytest.raises(CommandError, match=r"Faults: 2\. Documents that can be used: 4\."):
        call_command("check_corpus", stdout=out)
    assert out.getvalue().splitlines() == [
        "a.md: its status 'valid' is unknown; known are current, superseded, draft, withdrawn",
        "b.md: it has no text",
    ]


def test_another_folder_can_be_checked_before_it_is_used(corpus: Path, tmp_path_factory: Any) -> None:
    folder = tmp_path_factory.mktemp("next")
    write_document(folder, "a", "Text")
    assert _said("check_corpus", folder) == "1 documents, no fault.\n"


@pytest.mark.parametrize("options", [[], ["--tag", "evidencedesk"], ["--deploy"]])
def test_the_system_check_names_each_fault_and_fails(corpus: Path, options: list[str]) -> None:
    call_command("check", *options)
    write_document(corpus, "a", "Text", "valid")
    write_document(corpus, "b", "")
    with pytest.raises(SystemCheckError) as failed:
        call_command("check", *options)
    for words in ("a.md: its status 'valid' is unknown", "b.md: it has no text", "check_corpus"):
        assert words in str(failed.value)


def test_the_system_check_names_a_folder_that_is_not_there(settings: Settings, tmp_path: Path) -> None:
    settings.EVIDENCE_CORPUS = str(tmp_path / "nowhere")
    with pytest.raises(SystemCheckError, match="EVIDENCE_CORPUS"):
        call_command("check")


@pytest.mark.django_db
@pytest.mark.parametrize("command", [["migrate", "--plan"], ["purge"], ["makemigrations", "--check"]])
def test_a_faulty_document_stops_no_other_command(corpus: Path, command: list[str]) -> None:
    write_document(corpus, "a", "Text", "valid")
    with pytest.raises(SystemCheckError):
        call_command("check")
    call_command(*command, skip_checks=False, stdout=StringIO())


@pytest.mark.parametrize(
    ("case", "lines"),
    [
        ("b00_text", ["== b00_text.jsonl", "verdict usable: it ended with end"]),
        (
            "e01_drop_mid_text",
            ['Chunk {"text": "Half an ans"}', "verdict not usable: connection (The connection broke"],
        ),
        ("e02_eof_no_done_no_finish", ["verdict not usable: interrupted (The stream ended without a stop reason.)"]),
        ("e27_400", ["verdict not usable: rejected (The provider refused the request with status 400.)"]),
        ("c03_index_all_zero_two_calls", ['"id": "call_a"', '"id": "call_b"', "verdict usable: it ended with tool_c"]),
    ],
)
def test_a_saved_stream_is_replayed_to_its_verdict(case: str, lines: list[str]) -> None:
    said = _said("replay", CASES / f"{case}.jsonl")
    for line in lines:
        assert line in said


def test_several_streams_are_replayed_in_order() -> None:
    said = _said("replay", CASES / "b00_text.jsonl", CASES / "e08_content_filter.jsonl")
    assert said.index("== b00_text.jsonl") < said.index("== e08_content_filter.jsonl")
    assert "verdict usable: it ended with content_filter" in said


def test_the_tools_that_were_declared_decide_how_fragments_merge() -> None:
    case = CASES / "c03_index_all_zero_two_calls.jsonl"
    assert '"id": "call_acall_b"' in _said("replay", case, tool=["another_tool"])


def test_a_replayed_stream_cannot_steer_the_terminal(tmp_path: Path) -> None:
    capture = (CASES / "b00_text.jsonl").read_text(encoding="utf-8").replace("is fine.", r"is \u001b[2J\u009b31mfine.")
    file = tmp_path / "hostile.jsonl"
    file.write_text(capture, encoding="utf-8")
    said = _said("replay", file)
    assert r"\u001b[2J\u009b31mfine." in said
    assert said.replace("\n", "").isprintable()


@pytest.mark.parametrize("content", ["what?", None])
def test_a_file_that_is_no_capture_is_named(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "broken.jsonl"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    with pytest.raises(CommandError, match=r"broken\.jsonl"):
        call_command("replay", file)
