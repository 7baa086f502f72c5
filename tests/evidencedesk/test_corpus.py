"""A folder of Markdown documents is read; a document with a fault is left out, and the fault says what to mend."""

import hashlib
import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
        ("---\nid: 7\nstatus: current\n---\nText", "its id '7' is none"),
        ("---\nid:\nstatus: current\n---\nText", "it has no id"),
        ("---\nid: terms\nstatus:\n---\nText", "it has no status"),
        ("---\nid: 2025-06-31\nstatus: current\n---\nText", "its id '2025-06-31' is none"),
        ("---\nid: terms\nstatus: current\nid: other\n---\nText", "its front matter gives 'id' twice"),
        ("---\nid: terms\nstatus: current\ntitle: [a]\n---\nText", "its title (a list) is no text"),
        ('---\nid: terms\nstatus: current\ntitle: "a\\0b"\n---\nText', "its title holds a character that cannot"),
        ('---\nid: terms\nstatus: current\ntitle: "a\\uD800b"\n---\nText', "its title holds a character that cannot"),
        ('---\nid: terms\nstatus: current\ntitle: "\\UFFFFFFFF"\n---\nText', "its front matter is not YAML"),
        (f"---\nid: {'[' * 5000}\n---\nText", "its front matter is not YAML"),
        (f"---\n%YAML {'1' * 5000}.1\n---\nText", "its front matter is not YAML"),
        ("---\n- id\n- status\n---\nText", "no front matter"),
        ("---\nid: &id [*id]\nstatus: current\n---\nText", "its front matter is not YAML (line 3)"),
        ("Text\n\n---\nid: terms\nstatus: current\n---\nText", "no front matter"),
        ("---\nid: terms\nstatus: current\n---\n<!-- nothing but this", "it has no text"),
        ("---\nid: '7'\nstatus: current\n---\nText", "its id '7' is none"),
        ("---\nid: a b\nstatus: current\n---\nText", "its id 'a b' is none"),
        ("---\nid: None\nstatus: current\n---\nText", "its id 'None' is none"),
        (f"---\nid: {'x' * 65}\nstatus: current\n---\nText", "is none: write up to 64"),
        ("---\nid: terms\nstatus: Current\n---\nText", "its status 'Current' is unknown; known are current, "),
        ("---\nid: terms\nstatus: [current]\n---\nText", "its status (a list) is unknown"),
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


@pytest.mark.parametrize(
    "value",
    [
        "2025-06-31",
        "2024-13-45",
        "0000-00-00",
        "2025-06-30T25:00:00Z",
        "9" * 5_000,
        "0b" + "1" * 50_000,
        "1:" + "59:" * 3_000 + "59",
        "!!int x",
        "!!timestamp x",
        "!!bool x",
        "!!binary x",
        "!!python/object:os.system x",
        ".nan",
        "1e999999999",
        "no",
        "~",
    ],
)
def test_a_value_is_taken_as_it_is_written_whatever_yaml_or_python_would_make_of_it(tmp_path: Path, value: str) -> None:
    corpus = _loaded(tmp_path, f"---\nid: terms\nstatus: current\nvalid_from: {value}\ntitle: 2025-06-31\n---\nText")
    assert (corpus.faults, corpus.documents["terms"].title) == ((), "2025-06-31")


def test_lists_of_lists_of_lists_are_neither_unfolded_nor_shown(tmp_path: Path) -> None:
    laughs = "\n".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]" for n in range(1, 30))
    (fault,) = _loaded(tmp_path, f"---\nl0: &l0 ha\n{laughs}\nid: *l29\nstatus: current\n---\nText").faults
    assert "its id (a list) is none" in str(fault)


@given(st.text(max_size=60) | st.from_regex(r"(?s)(id|status|title): ?[&*!\[{\"'0-9.:-].{0,20}", fullmatch=True))
def test_no_front_matter_makes_reading_raise(fields: str) -> None:
    with TemporaryDirectory() as folder:
        corpus = _loaded(Path(folder), f"---\n{fields}\n---\nText".encode("utf-8", "replace"))
        assert len(corpus.documents) + len(corpus.faults) == 1
        assert all(len(str(fault).splitlines()) == 1 for fault in corpus.faults)


def test_comments_are_no_part_of_the_text(tmp_path: Path) -> None:
    corpus = _loaded(tmp_path, f"{GOOD}<!-- It was\n45 days. -->Not more.")
    assert corpus.documents["terms"].text == "Within 30 days.\nNot more."


def test_a_heading_that_is_underlined_is_a_title_too(tmp_path: Path) -> None:
    write_document(tmp_path, "terms", "The terms\n=========\n\n# Later")
    assert load_corpus(tmp_path).documents["terms"].title == "The terms"


@pytest.mark.parametrize("name", ["terms.MD", "terms.markdown", "terms.Md"])
def test_a_file_with_another_suffix_is_named_and_not_read(tmp_path: Path, name: str) -> None:
    write_document(tmp_path, "other", "Text")
    corpus = _loaded(tmp_path, GOOD, name)
    assert list(corpus.documents) == ["other"]
    assert [str(f) for f in corpus.faults] == [f"{name}: its name does not end with .md; rename it, for it is not read"]


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    assert "it is no file" in str(load_corpus(tmp_path).faults[0])


def test_the_name_of_a_file_cannot_break_the_line_of_its_fault(tmp_path: Path) -> None:
    tmp_path.joinpath(os.fsdecode(b"a\nb\xff.md")).write_text("x", encoding="utf-8")
    (fault,) = load_corpus(tmp_path).faults
    assert str(fault).encode().startswith("a\ufffdb\ufffd.md: ".encode())


def test_a_folder_whose_name_is_too_long_is_no_folder(tmp_path: Path) -> None:
    assert "no such folder" in str(load_corpus(tmp_path / ("x" * 300)).faults[0])


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
