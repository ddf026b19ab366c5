"""Models that are built in Python, without writing a file."""

from __future__ import annotations

from typing import Dict, List, Mapping, Optional, Sequence, Tuple, Union

from pymandala import _native
from pymandala._model import Model

Arcs = Union[str, Sequence[str], Mapping[str, int]]


def _weights(arcs: Optional[Arcs]) -> Dict[str, int]:
    """The places of some arcs with their weights: `"a"`, `["a", "b"]` or `{"a": 2}`."""
    if arcs is None:
        return {}
    if isinstance(arcs, str):
        return {arcs: 1}
    if isinstance(arcs, Mapping):
        return dict(arcs)
    weights: Dict[str, int] = {}
    for place in arcs:
        weights[place] = weights.get(place, 0) + 1
    return weights


class Net:
    """A Petri net in the making.

    >>> net = Net("lock")
    >>> _ = net.place("free", 1).place("waiting", 3).place("inside")
    >>> _ = net.transition("enter", take=["free", "waiting"], put="inside")
    >>> _ = net.transition("leave", take="inside", put=["free", "waiting"])
    >>> net.build().states().count
    2
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._places: List[Tuple[str, int, Optional[int]]] = []
        self._transitions: List[Tuple[str, List[Tuple[str, str, int]], int]] = []

    def place(self, name: str, tokens: int = 0, capacity: Optional[int] = None) -> "Net":
        """Adds a place, with its tokens in the beginning and the most that it holds."""
        self._places.append((name, tokens, capacity))
        return self

    def transition(
        self,
        name: str,
        take: Optional[Arcs] = None,
        put: Optional[Arcs] = None,
        read: Optional[Arcs] = None,
        inhibit: Optional[Arcs] = None,
        reset: Optional[Arcs] = None,
        priority: int = 0,
    ) -> "Net":
        """Adds a transition. Arcs are a place, some places, or a mapping from places to weights."""
        arcs: List[Tuple[str, str, int]] = []
        for how, given in (("take", take), ("put", put), ("read", read), ("inhibit", inhibit), ("reset", reset)):
            arcs.extend((how, place, weight) for place, weight in _weights(given).items())
        self._transitions.append((name, arcs, priority))
        return self

    def build(self) -> Model:
        """The model; `MandalaError` if names are there twice or missing."""
        return Model(_native.build_net(self.name, self._places, self._transitions))


class Program:
    """A program of guarded actions in the making.

    >>> program = Program("count").variable("x", 0)
    >>> _ = program.action("up", when="x < 9", set={"x": "x + 1"})
    >>> program.build().states().count
    10
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._variables: List[Tuple[str, List[int], bool]] = []
        self._actions: List[Tuple[str, Optional[str], List[Tuple[str, str]]]] = []

    def variable(self, name: str, value: int = 0) -> "Program":
        """Adds a variable with the value that it has in the beginning."""
        self._variables.append((name, [value], False))
        return self

    def array(self, name: str, values: Sequence[int]) -> "Program":
        """Adds an array; its elements are `name[0]`, `name[1]` and so on."""
        self._variables.append((name, list(values), True))
        return self

    def action(
        self, name: str, when: Optional[str] = None, set: Optional[Mapping[str, Union[str, int]]] = None
    ) -> "Program":
        """Adds an action: when it may be taken, and which values it sets, one after the other."""
        assignments = [(target, str(value)) for target, value in (set or {}).items()]
        self._actions.append((name, when, assignments))
        return self

    def build(self) -> Model:
        """The model; `MandalaError` if a condition or a value cannot be read."""
        return Model(_native.build_program(self.name, self._variables, self._actions))
