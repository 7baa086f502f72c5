"""Two summaries of one note are compared by the values they state first, and by their words last."""

import pytest

from summarizer.comparison import Change, Ending, amounts_in, change_between, named


def said(summary: str, *warnings: str) -> Ending:
    return Ending(summary, "", warnings)


def failed(code: str) -> Ending:
    return Ending(None, code, ())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Pay 1200.50 EUR by Friday.", "By Friday 1,200.50 EUR is due."),
        ("Pay 1200.50 EUR.", "Pay 1.200,50 EUR."),
        ("Pay 1200.50 EUR.", "Pay €1200.5."),
        ("Pay 100 EUR.", "Pay EUR 100.00."),
        ("Pay -5.00 EUR.", "Pay \N{MINUS SIGN}5 EUR."),
        ("One and ١٠٠ EUR.", "100 EUR in all."),
        ("Invoice INV-7 of 10 EUR.", "INV-7: 10 EUR."),
        ("Pay 5 - 10 EUR.", "Pay 5 to 10 EUR."),
        ("Pay 5 EUR - 10 EUR.", "Pay 5 EUR to 10 EUR."),
        ("Pay 5€-10€.", "Pay 5 EUR to 10 EUR."),
        ("In all \N{EN DASH} 5 EUR.", "In all 5 EUR."),
        ("Credit -€5.00.", "Credit of EUR -5."),
        ("Credit 5.00- EUR.", "Credit 5.00 EUR-."),
        ("Credit - 5.00 EUR.", "Minus 5.00 EUR credit."),
        ("Pay 12,- EUR.", "Pay 12 euros."),
        ("Pay $5.", "Pay (5 US dollars)."),
    ],
)
def test_the_same_amounts_in_other_words_are_a_change_of_wording(before: str, after: str) -> None:
    assert change_between(said(before), said(after)) is Change.WORDING


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Pay 1200.50 EUR.", "Pay 1200.05 EUR."),
        ("Pay 1200.50 EUR.", "Pay 120050 EUR."),
        ("Pay 100 EUR.", "Pay 100 USD."),
        ("Pay 100 EUR.", "Pay $100."),
        ("Pay 100 EUR.", "Pay 100."),
        ("Pay 100 EUR and 200 USD.", "Pay 100 USD and 200 EUR."),
        ("Pay 100 EUR and 200 EUR.", "Pay 100 EUR."),
        ("Pay -5.00 EUR.", "Pay 5.00 EUR."),
        ("Pay 100 EUR.", ""),
        ("Rechnung 14711 über 4711 EUR.", "Rechnung 14711 über 4711 USD."),
        ("Invoice 2024-100: 100 EUR.", "Invoice 2024-100: 100 USD."),
        ("Rechnung A-500 über 500 EUR.", "Rechnung A-500 über 500 USD."),
        ("Invoice 1200.50 for 200.50 EUR.", "Invoice 1200.50 for -200.50 EUR."),
        ("Invoice 100 for 100 EUR.", "Invoice 100 for 100."),
        ("Credit -€5.00.", "Credit €5.00."),
        ("Credit EUR -5.00.", "Credit EUR 5.00."),
        ("Credit -EUR 5.00.", "Credit EUR 5.00."),
        ("Credit - 5.00 EUR.", "Credit 5.00 EUR."),
        ("Credit \N{EN DASH}5.00 EUR.", "Credit 5.00 EUR."),
        ("Credit 5.00- EUR.", "Credit 5.00 EUR."),
        ("Credit 5.00 EUR-.", "Credit 5.00 EUR."),
        ("Credit minus 5 EUR.", "Credit 5 EUR."),
        ("Note 5-5 of 5 EUR.", "Note 5-5 of -5 EUR."),
        ("Pay 100 euros.", "Pay 100 dollars."),
        ("Pay US$100.", "Pay C$100."),
        ("Pay 100 US dollars.", "Pay 100 Canadian dollars."),
        ("Pay 12,- EUR.", "Pay 12,- USD."),
        ("Pay (100 EUR).", "Pay (100 USD)."),
        ("100 EUR, then.", "100 USD, then."),
    ],
)
def test_another_number_another_currency_or_another_sign_is_a_changed_amount(before: str, after: str) -> None:
    assert change_between(said(before), said(after)) is Change.AMOUNTS
    assert change_between(said(after), said(before)) is Change.AMOUNTS


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (said("Paid."), failed("timeout")),
        (failed("timeout"), said("Paid 5 EUR.")),
        (failed("timeout"), failed("rejected")),
        (said("Paid.", "truncated"), said("Paid.")),
        (said("Paid."), said("It is paid.", "unsupported_number")),
    ],
)
def test_another_failure_or_another_warning_is_another_ending(before: Ending, after: Ending) -> None:
    assert change_between(before, after) is Change.OUTCOME


def test_a_changed_amount_outweighs_a_new_warning() -> None:
    assert change_between(said("Pay 5 EUR."), said("Pay 6 EUR.", "unsupported_number")) is Change.AMOUNTS


@pytest.mark.parametrize("ending", [said("Paid 5 EUR.", "truncated"), failed("timeout"), said("")])
def test_the_same_ending_is_no_change(ending: Ending) -> None:
    assert change_between(ending, ending) is Change.NONE


def test_the_order_of_warnings_is_no_change() -> None:
    assert change_between(said("Paid.", "a", "b"), said("Paid.", "b", "a")) is Change.NONE


def test_amounts_are_named_in_order() -> None:
    assert named(amounts_in("First 20 EUR, then 7.50 USD, then 3.")) == "3, 7.50 USD, 20 EUR"
    assert named(amounts_in("Nothing.")) == "none"
