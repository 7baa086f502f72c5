"""Rules beyond the schema: whether what an answer cites and counts is true, and which sentence says so."""

import pytest

from backoffice.evidencedesk.checks import Evidence, Prose, passage, read_prose
from backoffice.evidencedesk.corpus import Document, DocumentStatus


def _document(id_: str, text: str, status: DocumentStatus = DocumentStatus.CURRENT, title: str = "") -> Document:
    return Document(id_, status, title or "Title", text, "0" * 64)


TERMS = _document("terms-2025", "Invoices are payable within 30 days.", title="Terms of 2025")
OLD = _document("old", "Within 45 days.", DocumentStatus.SUPERSEDED)
FEES = _document("fees", "The fee is 5 EUR.")
UNSHOWN = _document("unshown", "It costs 7 EUR.")
EVIDENCE = Evidence([TERMS, OLD, FEES], {d.id: d for d in (TERMS, OLD, FEES, UNSHOWN)})


def _problems(answer: str, *cited_ids: str) -> list[tuple[tuple[str | int, ...], str]]:
    return [(problem.loc, problem.msg) for problem in EVIDENCE.problems(answer, cited_ids)]


def test_a_true_answer_has_no_problem() -> None:
    assert _problems("Within 30 days.", "terms-2025") == []


def test_every_false_citation_is_named_by_its_place() -> None:
    assert _problems("So it is.", "terms-2025", "nowhere", "old", "unshown") == [
        (("cited_ids", 1), "there is no document with this id"),
        (("cited_ids", 2), "the document is superseded"),
        (("cited_ids", 3), "the document was not shown to the model"),
    ]


def test_every_number_that_is_not_backed_is_named() -> None:
    assert _problems("Within 31 days, or 1,000 at 5 EUR.", "terms-2025") == [
        (("answer",), "31 does not stand in the cited text"),
        (("answer",), "1,000 does not stand in the cited text"),
        (("answer",), "5 does not stand in the cited text"),
    ]


def test_a_number_may_stand_in_any_of_the_cited_texts_or_titles() -> None:
    assert _problems("Within 30 days for 5 EUR, since 2025.", "terms-2025", "fees") == []


def test_a_number_of_a_document_that_was_not_cited_is_not_backed() -> None:
    assert _problems("It costs 7 EUR.", "fees") == [(("answer",), "7 does not stand in the cited text")]


BUDGET = _document("budget", "The budget is 5\nmillion EUR. Teams get **30** thousand EUR. A 2.5-million fund.")


@pytest.mark.parametrize(
    ("answer", "backed"),
    [
        ("5 million", True),
        ("5,000,000", True),
        ("5 Mio. EUR", True),
        ("5", False),
        ("30 thousand", True),
        ("30 TEUR", True),
        ("30", False),
        ("2.5 million", True),
        ("2.5", False),
    ],
)
def test_a_magnitude_in_the_document_counts_however_it_is_set(answer: str, backed: bool) -> None:
    evidence = Evidence([BUDGET], {BUDGET.id: BUDGET})
    assert (evidence.problems(answer, ["budget"]) == ()) is backed


@pytest.mark.parametrize(
    "answer",
    [
        "30-million", "30\nmillion", "30  million", "30 **million**", "30 (million)", "30M EUR", "30 T€", "TEUR 30",
        "30 Mill.", "30 Cr", "30 L", "30万", "30 тысяч", "30 हज़ार", "30 mille", "30 Dutzend", "30&nbsp;million",
        "<b>30</b> million", "30 <!-- 1 -->million", "30 [million](x)", "25 to 30 million", ".30", "30e3", "30_30",
        "30\u200b30", "30½", "1<!-- -->30", "1<b>30</b>",
    ],
)  # fmt: skip
def test_a_number_that_the_document_has_without_that_magnitude_is_not_backed(answer: str) -> None:
    assert _problems(f"Within {answer} days.", "terms-2025") != []


def test_what_only_a_comment_or_the_target_of_a_link_holds_backs_nothing() -> None:
    document = _document("a", "See [the rules](https://example.org/45), <!-- 46 -->and&#32;more.")
    evidence = Evidence([document], {"a": document})
    assert [len(evidence.problems(number, ["a"])) for number in ("45", "46", "32")] == [1, 1, 1]


@pytest.mark.parametrize("answer", [" ", "\n\t", "\u200b", "\u3164", "…", "\u2800", "[]"])
def test_an_answer_that_says_nothing_is_no_answer(answer: str) -> None:
    assert _problems(answer, "fees") == [(("answer",), "it says nothing")]


@pytest.mark.parametrize("citation", ["[net-30]", "(net-30)", "【net-30】", "[id: net-30]", "[net-30, net-30]"])
def test_an_id_that_cites_is_a_name_and_no_number(citation: str) -> None:
    document = _document("net-30", "Invoices are payable without delay.")
    evidence = Evidence([document], {document.id: document})
    assert evidence.problems(f"They are payable without delay {citation}.", ["net-30"]) == ()


@pytest.mark.parametrize(
    ("answer", "number"),
    [
        ("Invoices are payable net-30.", "30"),
        ("Payable within 30d.", "30"),
        ("Payable (net-30, at the latest).", "30"),
        ("Payable [in 30 days].", "30"),
        ("By limits-2025, without delay.", "2025"),
    ],
)
def test_a_number_in_the_sentence_is_not_backed_by_the_id_of_what_is_cited(answer: str, number: str) -> None:
    documents = [_document(id_, "Invoices are payable without delay.") for id_ in ("net-30", "30d", "limits-2025")]
    evidence = Evidence(documents, {document.id: document for document in documents})
    (problem,) = evidence.problems(answer, ["net-30", "30d", "limits-2025"])
    assert problem.msg == f"{number} does not stand in the cited text"


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("A night costs 190 EUR at most.", "In capitals it is 190 EUR."),
        ("A hotel night is limited.", "A hotel night is reimbursed up to 140 EUR."),
        ("Receipts are needed.", "Receipts are required above 15 EUR."),
        ("Bis 140 EUR.", "A hotel night is reimbursed up to 140 EUR."),
    ],
)
def test_the_passage_is_the_sentence_that_shares_numbers_then_words(answer: str, sentence: str) -> None:
    nights = "A hotel night is reimbursed up to 140 EUR. In capitals it is 190 EUR."
    text = f"# Hotel night\n\n{nights}\n\n- Receipts are required above 15 EUR."
    assert passage(_document("x", text), answer) == sentence


def test_a_document_of_headings_alone_is_quoted_by_its_title() -> None:
    assert passage(_document("x", "# Only\n\n## Headings", title="A title"), "Only 5") == "A title"


def test_an_answer_without_words_still_has_a_passage() -> None:
    assert passage(_document("x", "?!"), "…") == "?!"


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ("In 30 days [fees].", Prose("In 30 days  .", ("fees",), abstains=False)),
        ("[fees, old; fees]", Prose(" ", ("fees", "old"), abstains=False)),
        ("(see [fees])", Prose("(see  )", ("fees",), abstains=False)),
        ("No (not fees).", Prose("No (not fees).", (), abstains=False)),
        ("By (fees).", Prose("By  .", ("fees",), abstains=False)),
        ("[id: fees]", Prose(" ", ("fees",), abstains=False)),
        ("[nowhere]", Prose(" ", ("nowhere",), abstains=False)),
        ("Not said [none].", Prose("Not said  .", (), abstains=True)),
        ("[none] [fees]", Prose("   ", ("fees",), abstains=False)),
        ("[]", Prose("[]", (), abstains=False)),
        ("plain", Prose("plain", (), abstains=False)),
    ],
)
def test_prose_cites_in_brackets(text: str, prose: Prose) -> None:
    assert read_prose(text, EVIDENCE.corpus) == prose
