"""States are walked through one by one, and sets of them are values."""

import random
from pathlib import Path

import pytest

import pymandala


@pytest.fixture
def counter() -> pymandala.Model:
    return pymandala.parse(
        "gal c { int x = 0; int y = 0; transition a [x < 4] { x = x + 1; } transition b [y < x] { y = y + 1; } }"
    )


def explicit(model: pymandala.Model) -> list:
    """All states, found one by one."""
    seen = {tuple(state.items()): state for state in model.initial_states()}
    open_ = list(seen.values())
    while open_:
        for move in model.successors(open_.pop()):
            if tuple(move.state.items()) not in seen:
                seen[tuple(move.state.items())] = move.state
                open_.append(move.state)
    return list(seen.values())


def as_set(states) -> set:
    return {tuple(state.items()) for state in states}


def test_walking(counter: pymandala.Model) -> None:
    (start,) = counter.initial_states()
    assert start == {"x": 0, "y": 0} and counter.variables == ["x", "y"]
    (move,) = counter.successors(start)
    assert move == ("a", {"x": 1, "y": 0}, {"x": (0, 1)})
    assert {move.transition for move in counter.successors(move.state)} == {"a", "b"}
    assert counter.holds("x == 1 && fireable(b)", move.state) and not counter.holds("deadlock", move.state)
    way = counter.walk(100, seed=3)
    assert len(way) == 8 and counter.successors(way[-1].state) == []
    assert counter.walk(100, seed=3) == way
    with pytest.raises(pymandala.MandalaError, match="no value for `y`"):
        counter.successors({"x": 1})
    with pytest.raises(pymandala.MandalaError, match="no variable `z`"):
        counter.successors({"x": 1, "y": 0, "z": 0})


@pytest.mark.parametrize("name", ["philosophers.gal", "clients.gal", "token-ring.gal", "peterson.gal", "database.sn"])
def test_both_ways_agree(models: Path, name: str) -> None:
    model = pymandala.read(models / name)
    space = model.states()
    if space.count > 3000:
        pytest.skip("too many for a walk in Python")
    found = explicit(model)
    assert len(found) == space.count == len(space.all)
    assert as_set(space) == as_set(found)
    assert all(state in space.all for state in found)
    dead = [state for state in found if not model.successors(state)]
    assert as_set(space.deadlocks()) == as_set(dead)


def test_sets_are_values(counter: pymandala.Model) -> None:
    space = counter.states()
    everything, low, high = space.all, space.where("x < 3"), space.where("x > 1")
    assert len(everything) == 15 and everything.count == 15
    assert low | high == everything and len(low & high) == 3
    assert everything - low == space.where("x >= 3") and not (low - everything)
    assert low < everything and low <= low and not low < low and everything > high
    assert {"x": 2, "y": 1} in low and {"x": 4, "y": 1} not in low and {"x": 9, "y": 9} not in everything
    assert {"x": 2} not in low and 3 not in low and {"x": 2, "y": "a"} not in low
    assert low != high and repr(low) == "<StateSet: 6 states>"
    assert list(low) == list(low), "the same order each time"
    other = counter.states()
    with pytest.raises(pymandala.MandalaError, match="different spaces"):
        low | other.all


def test_random_sets_agree_with_pythons(counter: pymandala.Model) -> None:
    space = counter.states()
    chance = random.Random(5)
    atoms = ["x < 2", "y > 1", "x == y", "x + y >= 4", "fireable(b)", "deadlock", "true"]
    for _ in range(200):
        one, other = chance.choice(atoms), chance.choice(atoms)
        a, b = space.where(one), space.where(other)
        pa, pb = as_set(a), as_set(b)
        assert as_set(a | b) == pa | pb and as_set(a & b) == pa & pb and as_set(a - b) == pa - pb
        assert len(a - b) == len(pa - pb) and (a <= b) == (pa <= pb)
        assert pa == {tuple(state.items()) for state in space if counter.holds(one, state)}


def test_states_at_random(counter: pymandala.Model) -> None:
    space = counter.states()
    drawn = space.all.sample(3000, seed=1)
    assert drawn == space.all.sample(3000, seed=1) and all(state in space for state in drawn)
    counts = {}
    for state in drawn:
        counts[tuple(state.values())] = counts.get(tuple(state.values()), 0) + 1
    assert len(counts) == 15 and min(counts.values()) > 120 and max(counts.values()) < 290
    assert space.random(seed=9) in space.all
    assert space.where("x == 9").sample(3, 1) == []
    large = pymandala.generate("philosophers", 200).states()
    assert large.random(seed=1) in large.all


def test_a_set_goes_on_while_others_are_made(counter: pymandala.Model) -> None:
    space = counter.states()
    seen = 0
    for state in space.all:
        seen += len(space.where(f"x == {state['x']}") & space.where(f"y == {state['y']}"))
    assert seen == 15


def test_large_sets_begin_at_once() -> None:
    space = pymandala.generate("philosophers", 100).states()
    first = next(iter(space))
    assert first in space.all
    with pytest.raises(OverflowError, match="count"):
        len(space.all)
    assert space.all.count == space.count


def test_a_quotient_keeps_representatives() -> None:
    space = pymandala.generate("client-server", 4).states(symmetry="explore")
    assert len(space.all) == space.representatives < space.count
