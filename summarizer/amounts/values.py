"""Turns the digits of a number and what stands around them into minor units, and names what is uncertain about it."""

from typing import Any, NamedTuple

from summarizer.amounts.figures import Figure
from summarizer.amounts.lookalikes import ENGLISH_DOLLARS
from summarizer.amounts.phrases import Phrase
from summarizer.amounts.readings import Reading
from summarizer.amounts.tables import EXPONENTS, MAGNITUDES, Use

_UNKNOWN_EXPONENT = 2
_THREE_DIGITS = 3
# Spoken in so many languages that a habit of one of them proves nothing.
_EVERYWHERE = frozenset({"EUR", "USD"})
_RUPEES = frozenset({"BDT", "INR", "LKR", "NPR", "PKR"})
_CRORE = 7
_THOUSAND_OR_MILLION = MAGNITUDES["mil"]


class Uncertain(Exception):
    """The amount cannot be told: the error code, and the amounts it may be."""

    def __init__(self, code: str, candidates: list[str] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.candidates = candidates or []


class Frame(NamedTuple):
    """All that a text says of a number except its digits.

    `exponents` are those of the currencies it may be; `divisor` is the power of ten of minor units that stand alone;
    `problem` an error code; `with_cents` the currency that is assumed instead where cents are written.
    """

    negative: bool
    currency: str | None
    exponents: frozenset[int]
    flags: tuple[str, ...]
    candidates: tuple[str, ...]
    power: int
    magnitudes: tuple[tuple[Use, ...], ...]
    divisor: int
    problem: str
    with_cents: str = ""


class Amount(NamedTuple):
    """An amount in minor units of a currency, None where that is not certain."""

    minor: int
    currency: str | None
    exponent: int
    flags: list[str]
    candidates: tuple[str, ...] = ()

    def result(self) -> dict[str, Any]:
        """What `normalize_amount` returns."""
        found: dict[str, Any] = {
            "amount_minor": self.minor,
            "currency": self.currency,
            "exponent": self.exponent,
            "amount": decimal_string(self.minor, self.exponent),
            "flags": self.flags,
        }
        if self.candidates:
            found["candidates"] = list(self.candidates)
        return found

    def written(self) -> str:
        """The amount as a candidate in an error."""
        return f"{decimal_string(self.minor, self.exponent)} {self.currency or ''}".rstrip()


def decimal_string(minor: int, exponent: int) -> str:
    """The decimal string of an amount with exactly `exponent` decimals."""
    if not exponent:
        return str(minor)
    digits = str(abs(minor)).rjust(exponent + 1, "0")
    return f"{'-' if minor < 0 else ''}{digits[:-exponent]}.{digits[-exponent:]}"


def exponent_of(currency: str | None) -> int:
    """ISO 4217's number of decimals; 2 without a currency and for withdrawn ones."""
    return EXPONENTS.get(currency or "", _UNKNOWN_EXPONENT)


def frame(reading: Reading) -> Frame:
    """What the text says of the number of this reading."""
    mark = reading.mark
    if reading.minor is not None and mark is None:
        mark = _minor_mark(reading.minor.codes)
    currency, flags, candidates = _currency(mark)
    problem = reading.problem or ("currency_conflict" if mark and mark.conflict else "")
    power, problem = _statement_letters(reading, mark, problem)
    if not problem and _is_foreign(reading, mark):
        problem = "ambiguous_magnitude"
    if reading.ambiguous_magnitude:
        flags = ("ambiguous_magnitude", *flags)
    if reading.role in ("credit", "debit"):
        flags = (*flags, reading.role)
    codes = {currency} if currency else mark.codes if mark else ()
    exponents = frozenset(map(exponent_of, codes)) or frozenset({_UNKNOWN_EXPONENT})
    divisor = reading.minor.digits if reading.minor else 0
    cents = _with_cents(mark, currency)
    return Frame(
        reading.negative, currency, exponents, flags, candidates, power, reading.magnitudes, divisor, problem, cents
    )


def _is_foreign(reading: Reading, mark: Phrase | None) -> bool:
    """Whether a magnitude that few languages write stands beside a currency of none of them: `$3tr`, `$1.5 mil`."""
    if mark is None or not mark.codes:
        return False
    likely = {mark.preferred} & mark.codes or mark.codes
    if any(uses[0].local and not mark.codes & uses[0].homes for uses in reading.magnitudes):
        return True
    thousand = any(uses[0] in _THOUSAND_OR_MILLION for uses in reading.magnitudes)
    return thousand and not mark.unit and likely <= ENGLISH_DOLLARS


def _with_cents(mark: Phrase | None, currency: str | None) -> str:
    """`¥12.50` is no yen, which have no cents: it is the yuan."""
    if mark is None or not mark.assumed or len(mark.codes) < 2 or exponent_of(currency) != 0:
        return ""
    others = [code for code in mark.codes if exponent_of(code) == _UNKNOWN_EXPONENT]
    return others[0] if len(others) == 1 else ""


def _minor_mark(codes: frozenset[str]) -> Phrase:
    preferred = "GBP" if "GBP" in codes else ""
    return Phrase(codes, preferred, assumed=len(codes) > 1, weak=False, unit=True, power=0, first=0, end=0)


def _currency(mark: Phrase | None) -> tuple[str | None, tuple[str, ...], tuple[str, ...]]:
    """The currency, the flag that says how it was found, and the candidates where several are as likely."""
    if mark is None:
        return None, ("no_currency",), ()
    if mark.doubtful:
        return None, ("ambiguous_currency",), tuple(sorted(mark.codes))
    if len(mark.codes) == 1:
        return next(iter(mark.codes)), (), ()
    if mark.preferred in mark.codes:
        return mark.preferred, ("currency_assumed",) if mark.assumed else (), ()
    return None, ("ambiguous_currency",) if mark.codes or mark.end == 0 else ("no_currency",), tuple(sorted(mark.codes))


def _statement_letters(reading: Reading, mark: Phrase | None, problem: str) -> tuple[int, str]:
    """`Cr` is a crore beside rupees, and beside anything else a credit or a crore, as `CR` beside rupees may be."""
    power = mark.power if mark else 0
    rupees = mark is not None and bool(mark.codes & _RUPEES) and len(mark.codes) < len(_RUPEES) + 2
    if reading.role == "crore_or_credit" and rupees:
        return power + _CRORE, problem
    doubtful = reading.role == "crore_or_credit" or (reading.role == "credit" and rupees)
    return power, problem or ("ambiguous_magnitude" if doubtful else "")


def amount(frame: Frame, figure: Figure) -> Amount:
    """The amount of a number in its frame; raises `Uncertain` where it cannot be told."""
    if frame.problem or figure.problem:
        raise Uncertain(frame.problem or figure.problem)
    if frame.with_cents and figure.scale == _UNKNOWN_EXPONENT and not frame.magnitudes:
        frame = frame._replace(currency=frame.with_cents)
    scale, flags = figure.scale + frame.divisor - frame.power, list(frame.flags)
    for uses in frame.magnitudes:
        scale -= _use(uses, frame.currency, figure).power
    if figure.separator:
        scale += _decimals_of_separator(frame, figure, flags)
    coefficient = -figure.coefficient if frame.negative else figure.coefficient
    return _rounded(coefficient, scale, frame, flags)


def _rounded(coefficient: int, scale: int, frame: Frame, flags: list[str]) -> Amount:
    """coefficient x 10^-scale in minor units, rounded half up, away from zero, which is flagged."""
    exponent = exponent_of(frame.currency)
    shift = exponent - scale
    if shift >= 0:
        return Amount(coefficient * 10**shift, frame.currency, exponent, flags, frame.candidates)
    step = 10**-shift
    units, rest = divmod(abs(coefficient), step)
    units += 2 * rest >= step
    if rest:
        flags.append("rounded")
    return Amount(-units if coefficient < 0 else units, frame.currency, exponent, flags, frame.candidates)


def _use(uses: tuple[Use, ...], currency: str | None, figure: Figure) -> Use:
    """The power that is meant, unless a language at home with the currency uses the word for another one."""
    at_home = any(currency in use.homes for use in uses[1:]) and currency not in _EVERYWHERE
    if at_home and figure.decimal != ".":
        raise Uncertain("ambiguous_magnitude")
    return uses[0]


def _decimals_of_separator(frame: Frame, figure: Figure, flags: list[str]) -> int:
    """One separator and three digits: thousands, unless the currency has three decimals or the language is known.

    `12.345 milhões` is thousands of millions: Portuguese writes a decimal comma.
    """
    if frame.magnitudes:
        decimals = set(frame.magnitudes[0][0].decimals) & {".", ","}
        if len(decimals) == 1:
            return _THREE_DIGITS if figure.separator in decimals else 0
    elif _THREE_DIGITS not in frame.exponents:
        flags.insert(0, "ambiguous_separator")
        return 0
    elif figure.separator == "." and len(frame.exponents) == 1:
        return _THREE_DIGITS
    if frame.magnitudes or frame.power:
        raise Uncertain("ambiguous_separator")
    number = -figure.coefficient if frame.negative else figure.coefficient
    both = [Amount(minor, frame.currency, _THREE_DIGITS, []).written() for minor in (number * 1000, number)]
    raise Uncertain("ambiguous_separator", both)
