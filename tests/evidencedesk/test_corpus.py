"""A folder of Markdown documents is read; a document with a fault is left out, and the fault says what to mend."""

import hashlib
from pathlib import Path

import pytest

from backoffice.evidencedesk.corpus import LONGEST_TEXT, Corpus, DocumentStatus, load_corpus
from tests.evidencedesk.desk import write_document

GOOD = "---\nid: terms\nstatus: current\n---\n\nWithin 30 days.\n"


def _loaded(folder: Path, content: str | bytes, name: str = "terms.md") -> Corpus:
    folder.joinpath(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return load_corpus(folder)


def test_a_document_is_its_front_matter_and_its_text(tmp_path: Path) -> None:
    content = "---\nid: terms\nstatus: superseded\ntitle:  Terms \n---\n\n# Heading\n\nWithin 30 days.\n"
    document = _loaded(tmp_path, content).documents["terms"]
    assert (document.id, document.status, document.title) == ("terms", DocumentStatus.SUPERSEDED, "Terms")
    assert document.text == "# Heading\n\nWithin 30 days."
    assert document.sha256 == hashlib.sha256(content.encode()).hexdigest()


@pytest.mark.parametrize(
    ("text", "title"), [("# The *terms* #\n\nText", "The *terms*"), ("Text\n\n## Second", "Second"), ("Text", "terms")]
)
def test_a_title_that_is_not_named_is_the_first_heading_else_the_id(tmp_path: Path, text: str, title: str) -> None:
    write_document(tmp_path, "terms", text)
    assert load_corpus(tmp_path).documents["terms"].title == title


def test_folders_inside_the_folder_count_and_other_files_do_not(tmp_path: Path) -> None:
    inner = tmp_path / "de"
    inner.mkdir()
    write_document(inner, "terms", "Innerhalb von 30 Tagen.")
    tmp_path.joinpath("notes.txt").write_text("no document", encoding="utf-8")
    assert list(load_corpus(tmp_path).documents) == ["terms"]


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    assert list(_loaded(tmp_path, "\ufeff" + GOOD).documents) == ["terms"]


@pytest.mark.parametrize("status", list(DocumentStatus))
def test_only_a_current_document_can_be_cited(tmp_path: Path, status: DocumentStatus) -> None:
    write_document(tmp_path, "terms", "Text", status)
    assert load_corpus(tmp_path).documents["terms"].citable is (status == "current")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("Within 30 days.", "no front matter"),
        ("---\nstatus: current\n---\nText", "it has no id"),
        ("---\nid: terms\n---\nText", "it has no status"),
        ("---\nid: 7\nstatus: current\n---\nText", "its id 7 is none"),
        ("---\nid: '7'\nstatus: current\n---\nText", "its id '7' is none"),
        ("---\nid: a b\nstatus: current\n---\nText", "its id 'a b' is none"),
        ("---\nid: None\nstatus: current\n---\nText", "its id 'None' is none"),
        (f"---\nid: {'x' * 65}\nstatus: current\n---\nText", "is none: write up to 64"),
        ("---\nid: terms\nstatus: Current\n---\nText", "its status 'Current' is unknown; known are current, "),
        ("---\nid: terms\nstatus: [current]\n---\nText", "its status ['current'] is unknown"),
        ("---\nid: terms\nstatus: current\n---\n\n", "it has no text"),
        ("---\nid: terms\nstatus: current\n---\n---", "it has no text"),
        ("---\nid: terms\nstatus: current\n---\na\0b", "NUL"),
        (f"---\nid: terms\nstatus: current\n---\n{'x' * (LONGEST_TEXT + 1)}", "20001 characters, 20000 at most"),
        ("---\nid: [terms\nstatus: current\n---\nText", "its front matter is not YAML (line 4)"),
        ("---\nid: a\x07\n---\nText", "its front matter is not YAML"),
        (b"---\nid: terms\n---\n\xff", "it is not UTF-8"),
    ],
)
def test_a_document_with_a_fault_is_left_out_and_the_fault_named(
    tmp_path: Path, content: str | bytes, words: str
) -> None:
    corpus = _loaded(tmp_path, content)
    (fault,) = corpus.faults
    assert corpus.documents == {}
    assert str(fault).startswith("terms.md: ")
    assert words in str(fault)


def test_documents_that_share_an_id_are_both_left_out(tmp_path: Path) -> None:
    write_document(tmp_path, "other", "Text")
    _loaded(tmp_path, GOOD, "a.md")
    corpus = _loaded(tmp_path, GOOD, "b.md")
    assert list(corpus.documents) == ["other"]
    assert [str(fault) for fault in corpus.faults] == [
        "a.md: the id 'terms' is another document's too",
        "b.md: the id 'terms' is another document's too",
    ]


def test_a_file_that_cannot_be_read_is_a_fault(tmp_path: Path) -> None:
    tmp_path.joinpath("folder.md").mkdir()
    assert "cannot be read" in str(load_corpus(tmp_path).faults[0])


def test_a_missing_and_an_empty_folder_are_faults(tmp_path: Path) -> None:
    assert "no such folder" in str(load_corpus(tmp_path / "none").faults[0])
    assert "no document" in str(load_corpus(tmp_path).faults[0])
