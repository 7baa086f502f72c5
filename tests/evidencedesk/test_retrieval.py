"""The documents a question is answered from: the best by their words, in any language, and no more than fit."""

import os
import time
from pathlib import Path

import pytest
from pytest_django import Settings

from backoffice.evidencedesk import retrieval
from backoffice.evidencedesk.corpus import Corpus, Document, DocumentStatus, load_corpus
from backoffice.evidencedesk.retrieval import (
    MOST_CHARACTERS,
    MOST_DOCUMENTS,
    MOST_SUPERSEDED,
    Index,
    current_index,
    terms,
    words,
)
from tests.evidencedesk.desk import ids, write_document


def _document(id_: str, text: str, status: DocumentStatus = DocumentStatus.CURRENT, title: str = "") -> Document:
    return Document(id_, status, title or id_, text, "0" * 64)


def _index(*documents: Document) -> Index:
    return Index(Corpus({document.id: document for document in documents}))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The Invoice, the INVOICE!", ["the", "invoice", "the", "invoice"]),
        ("Straße STRASSE", ["strasse", "strasse"]),
        ("e\u0301te\u0301 été", ["été", "été"]),
        ("হোটেলে প্রতি রাতের", ["হোটেলে", "প্রতি", "রাতের"]),
        ("দেওয়া দেওয\u09bcা", ["দেওয\u09bcা", "দেওয\u09bcা"]),
        ("30 ৩০ EUR/day", ["30", "৩০", "eur", "day"]),
        ("e-mail_address", ["e", "mail", "address"]),
        ("ক্‍ষ", ["ক্ষ"]),
        ("支付期限 三十天", ["支", "付", "期", "限", "三", "十", "天"]),
        ("", []),
        ("… !?", []),
    ],
)
def test_words_are_those_of_unicode(text: str, found: list[str]) -> None:
    assert words(text) == found


def test_a_long_word_is_found_by_its_beginning_too() -> None:
    assert terms("Rechnungen alt") == ["rechnungen", "alt", "rechn-"]


def test_the_best_document_comes_first_and_one_without_a_common_word_not_at_all() -> None:
    index = _index(
        _document("terms", "Invoices are payable within 30 days."),
        _document("dunning", "Overdue invoices get a reminder."),
        _document("lunch", "Soup of the day."),
    )
    assert ids(index.best("When is a reminder sent for overdue invoices?")) == ["dunning", "terms"]


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("Wann ist die Rechnung fällig?", "german"),
        ("চালান কত দিনের মধ্যে?", "bengali"),
        ("When is the invoice due?", "english"),
    ],
)
def test_each_language_finds_its_own_document(question: str, best: str) -> None:
    index = _index(
        _document("english", "The invoice is due within 30 days."),
        _document("german", "Rechnungen sind innerhalb von 30 Tagen fällig."),
        _document("bengali", "চালান ৩০ দিনের মধ্যে পরিশোধ করতে হবে।"),
    )
    assert ids(index.best(question))[0] == best


def test_superseded_documents_are_found_and_drafts_are_not() -> None:
    index = _index(
        _document("new", "Within 30 days."),
        _document("old", "Within 45 days.", DocumentStatus.SUPERSEDED),
        _document("draft", "Within 20 days.", DocumentStatus.DRAFT),
        _document("gone", "Within 10 days.", DocumentStatus.WITHDRAWN),
    )
    assert sorted(ids(index.best("Within which days?"))) == ["new", "old"]


def test_superseded_versions_do_not_crowd_out_what_holds() -> None:
    old = [_document(f"a-{year}", "Hotel night", DocumentStatus.SUPERSEDED) for year in range(2010, 2026)]
    current = [_document("hotels", "A hotel night in a capital city, and what is to be said of it at length.")]
    assert ids(_index(*old, *current).best("hotel night")) == ["a-2010", "a-2011", "hotels"]
    more = [_document(f"z-{number}", "A hotel night, too, is what this is about.") for number in range(9)]
    shown = _index(*old, *more).best("hotel night")
    assert [document.citable for document in shown] == [False] * MOST_SUPERSEDED + [True] * 4


def test_superseded_versions_do_not_take_the_room_of_what_holds() -> None:
    long = " x" * 9_500
    old = [_document(f"a-{year}", f"hotel{long}", DocumentStatus.SUPERSEDED) for year in (2023, 2024)]
    index = _index(*old, _document("current", f"hotel{long} and some more words that make it worse"))
    assert ids(index.best("hotel")) == ["a-2023", "current"]


def test_a_title_is_searched_too() -> None:
    index = _index(_document("a", "Within 30 days.", title="Payment terms"), _document("b", "Soup."))
    assert ids(index.best("payment")) == ["a"]


@pytest.mark.parametrize("question", ["", "?!", "unheard"])
def test_a_question_without_a_known_word_finds_nothing(question: str) -> None:
    assert _index(_document("a", "Within 30 days.")).best(question) == []


def test_a_corpus_without_a_word_finds_nothing() -> None:
    assert _index().best("invoice") == []
    assert _index(_document("a", "Text", DocumentStatus.DRAFT)).best("text") == []


def test_no_more_documents_are_shown_than_fit() -> None:
    short = [_document(f"d{number}", "invoice") for number in range(MOST_DOCUMENTS + 3)]
    assert len(_index(*short).best("invoice")) == MOST_DOCUMENTS
    long = [_document(f"d{number}", f"invoice {'x ' * 9_000}") for number in range(4)]
    shown = _index(*long).best("invoice")
    assert len(shown) == 2
    assert sum(len(document.text) for document in shown) <= MOST_CHARACTERS


def test_a_corpus_of_thousands_is_searched_at_once() -> None:
    index = _index(*(_document(f"p{number}", f"Policy {number} on matter{number % 97}.") for number in range(5_000)))
    started = time.process_time()
    assert ids(index.best("policy 4321"))[0] == "p4321"
    assert time.process_time() - started < 0.5


async def test_the_index_is_kept_until_a_file_changes(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = await current_index()
    assert await current_index() is first
    monkeypatch.setattr(retrieval, "LOOK_AGAIN_SECONDS", -1.0)
    assert await current_index() is first
    write_document(corpus, "terms", "Invoices are payable within 31 days.")
    os.utime(corpus / "terms.md", ns=(1, 1))
    changed = await current_index()
    assert changed.corpus.documents["terms"].text == "Invoices are payable within 31 days."


async def test_faults_are_logged_and_the_rest_is_used(
    corpus: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus.joinpath("broken.md").write_text("no front matter", encoding="utf-8")
    monkeypatch.setattr(retrieval.logger, "propagate", True)
    monkeypatch.setattr(retrieval.logging.getLogger("backoffice"), "propagate", True)
    index = await current_index()
    assert "terms" in index.corpus.documents
    assert "broken.md: it has no front matter" in caplog.text


async def test_a_folder_that_cannot_be_looked_into_is_a_corpus_without_documents(
    folder: Path, settings: Settings
) -> None:
    settings.EVIDENCE_CORPUS = str(folder / ("x" * 300))
    index = await current_index()
    assert index.best("invoice") == []


async def test_a_file_that_vanishes_while_it_is_looked_at_does_no_harm(corpus: Path) -> None:
    corpus.joinpath("gone.md").symlink_to(corpus / "nowhere")
    index = await current_index()
    assert "terms" in index.corpus.documents
    assert [fault.file for fault in index.corpus.faults] == ["gone.md"]


def test_the_shipped_corpus_is_read_without_fault(settings: Settings) -> None:
    assert load_corpus(Path(settings.EVIDENCE_CORPUS)).faults == ()
