"""The bad rows of an import are taken away, put right beside the spreadsheet, and the whole file is read anew."""

import csv
import io

import pytest
from django.test import Client

from tests.admin.staff import words
from tests.admin.test_importing_notes import BAD, imported, page_of


def bad_rows(desk: Client, text: str) -> list[list[str]]:
    file = desk.get(page_of("bad-rows", imported(desk, text))).content.decode("utf-8-sig")
    return [*csv.reader(io.StringIO(file))]


@pytest.mark.parametrize(
    ("language", "titles"),
    [("en", "Where,row_id,Beginning of the text,Reason"), ("de", "Wo;row_id;Anfang des Textes;Grund")],
)
def test_they_are_a_file_of_ones_language(desk: Client, language: str, titles: str) -> None:
    response = desk.get(page_of("bad-rows", imported(desk, BAD)), headers={"accept-language": language})
    file = response.content.decode("utf-8-sig")
    assert file.splitlines()[0] == titles
    assert file.count("\n") == 4


def test_the_file_is_not_read_back_for_notes_since_its_texts_are_cut_and_marked(desk: Client) -> None:
    file = desk.get(page_of("bad-rows", imported(desk, BAD))).content.decode("utf-8-sig")
    assert "the header has no column text" in words(desk.get(page_of("change", imported(desk, file))))


def test_each_has_the_beginning_of_the_text_by_which_it_is_found(desk: Client) -> None:
    head, *rows = bad_rows(desk, BAD.replace("row_id,text", "Nr,Note"))
    assert head == ["Where", "Nr", "Beginning of the text", "Reason"]
    assert [row[:3] for row in rows] == [
        ["on line 3", "1", "Twice"],
        ["on line 4", "x", "No number"],
        ["on line 5", "4", ""],
    ]


def test_of_a_long_text_its_beginning_is_there_and_none_is_a_formula(desk: Client) -> None:
    rows = bad_rows(desk, f"row_id,text\n1,{'a' * 4001}\nx,=1+1\n")[1:]
    assert [row[2] for row in rows] == ["a" * 200 + "…", "'=1+1"]


def test_the_page_says_that_the_corrected_file_takes_the_place_of_the_whole(desk: Client) -> None:
    assert "it needs every row, the good ones too" in words(desk.get(page_of("change", imported(desk, BAD))))
