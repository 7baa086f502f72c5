"""Notes come from named files and from streams without a name."""

import io
from pathlib import Path

import pytest

from summarizer.importing import MAX_BYTES, NoteFormat, UnreadableFile, format_of, read_notes

from .files import csv_text, json_lines_text, json_text, rows_of, workbook

ROWS = [(1, "one"), (2, "two")]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("notes.csv", csv_text(ROWS).encode()),
        ("NOTES.CSV", csv_text(ROWS).encode()),
        ("notes.2024.tsv", csv_text(ROWS, delimiter="\t").encode()),
        ("notes.json", json_text(ROWS).encode()),
        ("notes.jsonl", json_lines_text(ROWS).encode()),
        ("notes.ndjson", json_lines_text(ROWS).encode()),
        ("notes.xlsx", workbook(("row_id", "text"), *ROWS)),
    ],
)
def test_the_name_of_a_file_tells_its_format(tmp_path: Path, name: str, data: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(data)

    notes = read_notes(path)

    assert rows_of(notes) == ROWS
    assert notes.format is format_of(name)


def test_a_format_given_goes_before_the_name(tmp_path: Path) -> None:
    path = tmp_path / "notes.csv"
    path.write_text(json_text(ROWS))

    assert rows_of(read_notes(path, note_format=NoteFormat.JSON)) == ROWS


@pytest.mark.parametrize("name", ["notes.txt", "notes", ".csv", "notes.xls", "notes.csv.gz"])
def test_a_name_that_tells_no_format_is_answered_with_the_choices(name: str) -> None:
    with pytest.raises(
        UnreadableFile, match=r"\.ndjson, \.xlsx, or the format must be given as one of csv, json, jsonl, xlsx"
    ):
        format_of(name)


def test_a_stream_is_read_in_the_format_given() -> None:
    notes = read_notes(io.BytesIO(json_lines_text(ROWS).encode()), note_format=NoteFormat.JSONL)

    assert rows_of(notes) == ROWS
    assert notes.format is NoteFormat.JSONL


def test_a_stream_without_a_format_is_answered_with_the_choices() -> None:
    with pytest.raises(UnreadableFile, match="give its format as one of csv, json, jsonl, xlsx"):
        read_notes(io.BytesIO(b""))


def test_a_file_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"missing\.csv cannot be read: No such file or directory"):
        read_notes(tmp_path / "missing.csv")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    folder = tmp_path / "folder.csv"
    folder.mkdir()

    with pytest.raises(UnreadableFile, match="Is a directory"):
        read_notes(folder)


class EndlessStream:
    """Gives as much as is asked for and remembers how much that was."""

    asked = 0

    def read(self, size: int, /) -> bytes:
        self.asked += size
        return bytes(size)


def test_a_stream_without_end_is_not_read_without_end() -> None:
    stream = EndlessStream()

    with pytest.raises(UnreadableFile, match="larger than 200 MB"):
        read_notes(stream, note_format=NoteFormat.CSV)

    assert stream.asked == MAX_BYTES + 1
