"""Random faults come at their rate, and always the same for the same seed."""

import hashlib

import pytest

from backoffice.llm.scripted import Options, ScriptedModel
from backoffice.llm.scripted.faults import parse_faults
from backoffice.llm.scripted.random_faults import DEFAULT_MIX, NO_RANDOM_FAULTS, RandomFaults
from tests.llm.scripted.asking import body, posted

DIGESTS = [hashlib.sha256(str(number).encode()).hexdigest() for number in range(2_000)]


def _drawn(faults: RandomFaults, attempt: int = 1) -> list[str]:
    return [str(fault) for digest in DIGESTS for fault in faults.faults(digest, 1, attempt)]


@pytest.mark.parametrize("rate", [0.1, 0.2, 0.5])
def test_the_rate_is_the_share_of_requests_that_draw_a_fault(rate: float) -> None:
    assert len(_drawn(RandomFaults(rate, seed=7))) / len(DIGESTS) == pytest.approx(rate, abs=0.03)


def test_every_fault_of_the_mix_is_drawn() -> None:
    assert set(_drawn(RandomFaults(1.0))) == {str(fault) for fault in parse_faults(DEFAULT_MIX)}


def test_at_rate_nought_nothing_is_drawn() -> None:
    assert _drawn(NO_RANDOM_FAULTS) == []


def test_a_seed_always_draws_the_same_and_another_seed_others() -> None:
    one, again, other = (_drawn(RandomFaults(0.3, seed=seed)) for seed in (7, 7, 8))
    assert one == again
    assert one != other


def test_a_fault_strikes_one_attempt_unless_the_mix_says_how_many() -> None:
    once = RandomFaults(0.2, seed=1, mix=parse_faults("503"))
    thrice = RandomFaults(0.2, seed=1, mix=parse_faults("503*3"))
    struck = [digest for digest in DIGESTS if once.faults(digest, 1, 1)]
    assert any(not once.faults(digest, 1, 2) for digest in struck)
    assert all(thrice.faults(digest, 1, attempt) for digest in struck for attempt in (1, 2, 3))
    assert any(not thrice.faults(digest, 1, 4) for digest in struck)


def test_a_fault_of_the_mix_can_be_kept_for_one_call() -> None:
    faults = RandomFaults(1.0, mix=parse_faults("drop@2"))
    assert faults.faults(DIGESTS[0], 1, 1) == ()
    assert faults.faults(DIGESTS[0], 2, 1) == parse_faults("drop@2")


@pytest.mark.parametrize("rate", [-0.1, 1.1])
def test_a_rate_lies_between_nought_and_one(rate: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        RandomFaults(rate)


def test_a_mix_names_at_least_one_fault() -> None:
    with pytest.raises(ValueError, match="at least one fault"):
        RandomFaults(0.5, mix=())


def test_the_order_of_requests_does_not_matter() -> None:
    options = Options(random_faults=RandomFaults(0.5, seed=3))
    notes = [f"Invoice {number}" for number in range(40)]
    forwards, backwards = ScriptedModel(options), ScriptedModel(options)
    one = {note: _faults(forwards, note) for note in notes}
    other = {note: _faults(backwards, note) for note in reversed(notes)}
    assert one == other
    assert any(one.values())


def _faults(model: ScriptedModel, note: str) -> tuple[str, ...]:
    exchange = posted(model, body(note)).exchange
    assert exchange is not None
    return exchange.faults
