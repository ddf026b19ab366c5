"""Models, state spaces, answers and traces."""

from __future__ import annotations

import html
import os
import random
from datetime import timedelta
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from pymandala import _native
from pymandala._native import StateSet

State = Dict[str, int]
"""A state: the value of each variable (the tokens of each place)."""

Progress = Callable[[Dict[str, float]], Any]
"""Who is told how far long work is: a dictionary with `states`, `nodes`, `bytes` and `seconds`."""


def read(
    path: Union[str, "os.PathLike[str]"], format: Optional[str] = None, constants: Optional[Mapping[str, int]] = None
) -> "Model":
    """Reads a model from a file: GAL, PNML, DVE, `.sn`, a net of GreatSPN, or a folder of the Model Checking Contest.

    `constants` gives other values to constants of the file. `ReadError` shows what is wrong, and where.
    """
    return Model(_native.read(os.fspath(path), format, list((constants or {}).items())))


def parse(text: str, format: Optional[str] = None, constants: Optional[Mapping[str, int]] = None) -> "Model":
    """Reads a model from a text in some format: `gal`, `pnml`, `dve`, `sn`, `greatspn` or `pnpro`."""
    return Model(_native.parse(text, format, list((constants or {}).items())))


def generate(name: str, size: Union[int, str], shape: Optional[str] = None) -> "Model":
    """A classic model of some size: `philosophers`, `kanban`, `slotted-ring`, `fms` and others."""
    return parse(_native.generate(name, str(size), shape), "gal")


class Move(NamedTuple):
    """Something that can happen in a state."""

    transition: str
    """What happens."""
    state: State
    """The state afterwards."""
    changes: Dict[str, Tuple[int, int]]
    """What it changes: before and after."""


class Step(NamedTuple):
    """A step of a trace."""

    transition: str
    """What happens."""
    changes: Dict[str, Tuple[int, int]]
    """What it changes: before and after."""
    state: State
    """The state afterwards."""
    instances: Optional[List[str]] = None
    """The instances that moved, if the model has instances."""
    mishap: Optional[str] = None
    """Why it leads to the error state, if it does."""


class Trace(List[Step]):
    """How something comes about: a list of steps."""

    initial: State
    """The state in which it begins."""
    shortest: bool
    """Whether there is no shorter one."""
    repeats: Optional[int]
    """The number of the step with which it goes on when it is over, for ever; nothing if it just ends."""

    def __init__(self, data: Mapping[str, Any], svg: Callable[[], Optional[str]]) -> None:
        super().__init__(Step(*step) for step in data["steps"])
        self.initial = data["initial"]
        self.shortest = data["shortest"]
        self.repeats = data["repeats"]
        self._words = data["words"]
        self._svg = svg

    @property
    def states(self) -> List[State]:
        """All states, from the first to the last."""
        return [self.initial] + [step.state for step in self]

    def records(self) -> List[Dict[str, Any]]:
        """A record per state, for `pandas.DataFrame`: the number of the step, the transition, and all variables."""
        rows: List[Dict[str, Any]] = [{"step": 0, "transition": None, **self.initial}]
        rows.extend({"step": number, "transition": step.transition, **step.state} for number, step in enumerate(self, 1))
        return rows

    def svg(self) -> str:
        """A picture: a column per part of the model, a row per step."""
        return self._svg() or ""

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        rows = [("", "start", self._words[0])]
        rows += [(str(number), step.transition, words) for number, (step, words) in enumerate(zip(self, self._words[1:]), 1)]
        body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        return f"<table><tr><th></th><th>transition</th><th>changes</th></tr>{body}</table>"


class Answer:
    """The answer to a question. Printed, it is the verdict and what shows it."""

    def __init__(self, native: _native.Answer) -> None:
        self._native = native
        self._trace: Optional[Trace] = None

    @property
    def name(self) -> str:
        """The question: its formula, or its name in the model's file."""
        return self._native.name

    @property
    def kind(self) -> str:
        """`reachable`, `invariant`, `never`, `bounds`, `ctl`, `ltl`, `live` or `deadlock`."""
        return self._native.kind

    @property
    def holds(self) -> Optional[bool]:
        """Whether it holds; None if that is not known, or if bounds were asked for."""
        return self._native.holds

    @property
    def value(self) -> Optional[Tuple[int, int]]:
        """The least and the greatest value, if bounds were asked for."""
        return self._native.value

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        return self._native.verdict

    @property
    def reason(self) -> Optional[str]:
        """Why it is not known, if it is not."""
        return self._native.reason

    @property
    def answered_on(self) -> Optional[str]:
        """On which states it was answered, with which symmetries, if a quotient was asked for."""
        return self._native.answered_on

    @property
    def seconds(self) -> float:
        """How long it took, beyond the exploration."""
        return self._native.seconds

    @property
    def trace(self) -> Optional[Trace]:
        """The steps that show it; None if nothing is to be shown (`why_no_trace` may say why)."""
        if self._trace is None:
            data = self._native.trace_data()
            if data is not None:
                self._trace = Trace(data, self._native.trace_svg)
        return self._trace

    @property
    def why_no_trace(self) -> Optional[str]:
        """Why no trace is shown although there is one."""
        return self._native.why_no_trace

    def __str__(self) -> str:
        return str(self._native)

    def __repr__(self) -> str:
        return f"<Answer {self.name!r}: {self.verdict}>"

    def _repr_html_(self) -> str:
        trace = self.trace
        shown = trace._repr_html_() if trace is not None else f"<pre>{html.escape(self._native.explanation)}</pre>"
        return f"<p><code>{html.escape(self.name)}</code>: <b>{html.escape(self.verdict)}</b></p>{shown}"


class Space:
    """The states of a model, as many as were found. It keeps them, so that more can be asked."""

    def __init__(self, native: _native.Space, model: _native.Model) -> None:
        self._native = native
        self._model = model

    @property
    def count(self) -> int:
        """How many states there are; how many were found if it is not `complete`; `math.inf` if there are infinitely many.

        In a quotient by symmetry, these are ordinary states, and not the representatives that were kept.
        """
        return self._native.count

    @property
    def count_text(self) -> str:
        """The same for people, and also where a number has too many digits to be written down."""
        return self._native.count_text

    @property
    def complete(self) -> bool:
        """Whether all states are known."""
        return self._native.complete

    @property
    def stopped(self) -> Optional[str]:
        """Why not: `time`, `memory` or `interrupt`."""
        return self._native.stopped

    @property
    def representatives(self) -> Optional[int]:
        """How many states were kept: representatives in a quotient, all states otherwise."""
        return self._native.representatives

    @property
    def symmetries(self) -> List[str]:
        """By which symmetries it is a quotient, in words."""
        return self._native.symmetries

    @property
    def nodes(self) -> Optional[int]:
        """The nodes of the diagram, if there is one."""
        return self._native.nodes

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self._native.seconds

    @property
    def all(self) -> StateSet:
        """All states that were kept, as a set."""
        return self._native.all()

    def where(self, formula: str) -> StateSet:
        """The states that satisfy a formula about one state, such as `x > 3` or `deadlock`."""
        return self._native.where_(formula)

    def deadlocks(self) -> StateSet:
        """The states in which nothing can happen."""
        return self.where("deadlock")

    def check(self, formula: str) -> Answer:
        """Answers a formula on these states."""
        return Answer(self._native.check(formula))

    def random(self, seed: Optional[int] = None) -> State:
        """A state at random, each as likely as any other."""
        found = self._native.all().sample(1, random.getrandbits(64) if seed is None else seed % 2**64)
        if not found:
            raise _native.MandalaError("there is no state to choose from")
        return found[0]

    def __iter__(self) -> Iterator[State]:
        return iter(self._native.all())

    def __len__(self) -> int:
        return len(self._native.all())

    def __contains__(self, state: object) -> bool:
        return state in self._native.all()

    def diagram_svg(self, most: int = 500) -> str:
        """The decision diagram as a picture, if it has at most so many nodes."""
        return self._native.diagram_svg(most)

    def diagram_dot(self, most: int = 500) -> str:
        """The decision diagram for Graphviz."""
        return self._native.diagram_dot(most)

    def __repr__(self) -> str:
        more = "" if self.complete else f", not complete ({self.stopped or 'infinitely many'})"
        return f"<Space: {self.count_text} states{more}>"

    def svg(self, most: int = 60) -> str:
        """A picture of all states and the steps between them, if there are at most so many."""
        picture = self._picture(most)
        if picture is None:
            raise _native.MandalaError(f"there are {self.count_text} states, and at most {most} are drawn")
        return picture

    def _picture(self, most: int) -> Optional[str]:
        # Of a quotient the representatives would be missed, of an unfinished space what was not found.
        if not self.complete or self.symmetries:
            return None
        try:
            few = self.count <= most
        except OverflowError:
            return None
        return self._model.states_svg(most) if few else None

    def _repr_svg_(self) -> Optional[str]:
        return self._picture(60)

    def _repr_html_(self) -> str:
        facts = [("states", self.count_text), ("complete", str(self.complete)), ("nodes", str(self.nodes))]
        if self.symmetries:
            facts.append(("representatives", str(self.representatives)))
        rows = "".join(f"<tr><th>{name}</th><td>{html.escape(value)}</td></tr>" for name, value in facts)
        return f"<table>{rows}</table>{self._repr_svg_() or ''}"


class Model:
    """A model: a net, a coloured net, a program or a composite."""

    def __init__(self, native: _native.Model) -> None:
        self._native = native

    @property
    def name(self) -> str:
        """Its name."""
        return self._native.name

    @property
    def kind(self) -> str:
        """`net`, `coloured net`, `program` or `composite`."""
        return self._native.kind

    @property
    def properties(self) -> List[str]:
        """The names of the questions that its file asks."""
        return self._native.properties

    @property
    def notes(self) -> List[str]:
        """What in its file was passed over although it may matter."""
        return self._native.notes

    @property
    def variables(self) -> List[str]:
        """The names of its variables (the places of a net)."""
        return self._native.variables

    def value_names(self, variable: str) -> List[str]:
        """What the values of a variable are called, from 0 on; empty if they are just numbers."""
        return self._native.value_names(variable)

    def states(
        self,
        symmetry: Union[None, bool, str] = None,
        timeout: Union[None, float, timedelta] = None,
        memory: Union[None, int, str] = None,
        strategy: Optional[str] = None,
        order: Union[None, str, Sequence[str]] = None,
        progress: Optional[Progress] = None,
    ) -> Space:
        """Builds the state space.

        Limits (seconds, bytes or a text as `"4G"`) are no errors, see `Space.complete`, unless nothing was found by then.
        """
        native = self._native.states(
            symmetry=symmetry, timeout=timeout, memory=memory, strategy=strategy, order=order, progress=progress
        )
        return Space(native, self._native)

    def check(
        self,
        formula: str,
        symmetry: Union[None, bool, str] = None,
        timeout: Union[None, float, timedelta] = None,
        memory: Union[None, int, str] = None,
        strategy: Optional[str] = None,
        order: Union[None, str, Sequence[str]] = None,
        progress: Optional[Progress] = None,
    ) -> Answer:
        """Asks a formula: `AG(x <= 3)`, `EF(deadlock)`, `G(x == 1 -> F x == 2)`, `[bounds] : x + y`."""
        return Answer(
            self._native.check(
                formula,
                symmetry=symmetry,
                timeout=timeout,
                memory=memory,
                strategy=strategy,
                order=order,
                progress=progress,
            )
        )

    def check_properties(
        self,
        names: Optional[Sequence[str]] = None,
        symmetry: Union[None, bool, str] = None,
        timeout: Union[None, float, timedelta] = None,
        memory: Union[None, int, str] = None,
        strategy: Optional[str] = None,
        progress: Optional[Progress] = None,
    ) -> List[Answer]:
        """Answers the questions that its file asks: all, or those with these names."""
        answers = self._native.check_properties(
            None if names is None else list(names),
            symmetry=symmetry,
            timeout=timeout,
            memory=memory,
            strategy=strategy,
            progress=progress,
        )
        return [Answer(answer) for answer in answers]

    def initial_states(self) -> List[State]:
        """The states in which runs begin."""
        return self._native.initial_states()

    def successors(self, state: State) -> List[Move]:
        """All that can happen in a state."""
        return [Move(*move) for move in self._native.successors(state)]

    def holds(self, formula: str, state: State) -> bool:
        """Whether a formula about one state holds in a state."""
        return self._native.holds_in(formula, state)

    def walk(self, steps: int, seed: Optional[int] = None) -> List[Move]:
        """A random walk from an initial state, of at most so many steps."""
        chance = random.Random(seed)
        state = chance.choice(self.initial_states())
        way: List[Move] = []
        for _ in range(steps):
            moves = self.successors(state)
            if not moves:
                break
            way.append(chance.choice(moves))
            state = way[-1].state
        return way

    def svg(self, what: Optional[str] = None) -> str:
        """A picture: of the `net`, of the `hierarchy` of a composite, or of its first `states`."""
        return self._native.svg(what or self._usual())

    def dot(self, what: Optional[str] = None) -> str:
        """The same for Graphviz."""
        return self._native.dot(what or self._usual())

    def _usual(self) -> str:
        return {"composite": "hierarchy", "program": "states"}.get(self.kind, "net")

    def to_gal(self) -> str:
        """The model in GAL."""
        return self._native.to_gal()

    def to_pnml(self) -> str:
        """A net in PNML."""
        return self._native.to_pnml()

    def flatten(self) -> "Model":
        """A composite as one net or one program."""
        return Model(self._native.flatten())

    def __repr__(self) -> str:
        return f"<Model {self.name!r}: a {self.kind}>"

    def _repr_svg_(self) -> Optional[str]:
        return self._native.notebook_svg()

    def _repr_html_(self) -> str:
        picture = self._native.notebook_svg() or ""
        return f"<p><b>{html.escape(self.name)}</b>, a {self.kind}</p>{picture}"
