"""The native half of the package; the rest of it is typed where it is written."""

from datetime import timedelta
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Union

class MandalaError(Exception):
    """Why there is no model, no answer or no picture. Its text shows the place."""

    message: str
    help: Optional[str]
    kind: str
    problems: List[Dict[str, Any]]

class ReadError(MandalaError):
    """A file or a formula that cannot be read."""

def read(path: str, format: Optional[str], constants: Optional[List[Tuple[str, int]]]) -> Model: ...
def parse(text: str, format: Optional[str], constants: Optional[List[Tuple[str, int]]]) -> Model: ...
def generate(name: str, size: str, shape: Optional[str]) -> str: ...
def build_net(
    name: str,
    places: List[Tuple[str, int, Optional[int]]],
    transitions: List[Tuple[str, List[Tuple[str, str, int]], int]],
) -> Model: ...
def build_program(
    name: str,
    variables: List[Tuple[str, List[int], bool]],
    actions: List[Tuple[str, Optional[str], List[Tuple[str, str]]]],
) -> Model: ...

class Answer:
    name: str
    kind: str
    holds: Optional[bool]
    verdict: str
    value: Optional[Tuple[int, int]]
    reason: Optional[str]
    answered_on: Optional[str]
    seconds: float
    explanation: str
    why_no_trace: Optional[str]
    def trace_data(self) -> Optional[Dict[str, Any]]: ...
    def trace_svg(self) -> Optional[str]: ...

class StateSet:
    """A set of states: `|`, `&`, `-`, `in`, `len`, comparison and iteration."""

    count: int
    """How many states it has; `len` is for numbers that are not huge."""
    count_text: str
    """The same for people."""
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __or__(self, other: StateSet) -> StateSet: ...
    def __and__(self, other: StateSet) -> StateSet: ...
    def __sub__(self, other: StateSet) -> StateSet: ...
    def __contains__(self, state: object) -> bool: ...
    def __le__(self, other: StateSet) -> bool: ...
    def __lt__(self, other: StateSet) -> bool: ...
    def __ge__(self, other: StateSet) -> bool: ...
    def __gt__(self, other: StateSet) -> bool: ...
    def __iter__(self) -> Iterator[Dict[str, int]]: ...
    def sample(self, how_many: int, seed: int) -> List[Dict[str, int]]:
        """Some states at random, each as likely as any other."""

class StateIterator:
    def __iter__(self) -> StateIterator: ...
    def __next__(self) -> Dict[str, int]: ...

class Space:
    count: int
    count_text: str
    complete: bool
    stopped: Optional[str]
    representatives: Optional[int]
    symmetries: List[str]
    nodes: Optional[int]
    seconds: float
    def check(self, formula: str) -> Answer: ...
    def all(self) -> StateSet: ...
    def where_(self, formula: str) -> StateSet: ...
    def diagram_svg(self, most: int) -> str: ...
    def diagram_dot(self, most: int) -> str: ...

class Model:
    name: str
    kind: str
    properties: List[str]
    notes: List[str]
    variables: List[str]
    def value_names(self, variable: str) -> List[str]: ...
    def states(
        self,
        *,
        symmetry: Union[None, bool, str] = None,
        timeout: Union[None, float, timedelta] = None,
        memory: Union[None, int, str] = None,
        strategy: Optional[str] = None,
        order: Union[None, str, Sequence[str]] = None,
        progress: Optional[Callable[[Dict[str, float]], Any]] = None,
    ) -> Space: ...
    def check(
        self,
        formula: str,
        *,
        symmetry: Union[None, bool, str] = None,
        timeout: Union[None, float, timedelta] = None,
        memory: Union[None, int, str] = None,
        strategy: Optional[str] = None,
        order: Union[None, str, Sequence[str]] = None,
        progress: Optional[Callable[[Dict[str, float]], Any]] = None,
    ) -> Answer: ...
    def check_properties(
        self,
        names: Optional[List[str]],
        *,
        symmetry: Union[None, bool, str] = None,
        timeout: Union[None, float, timedelta] = None,
        memory: Union[None, int, str] = None,
        strategy: Optional[str] = None,
        progress: Optional[Callable[[Dict[str, float]], Any]] = None,
    ) -> List[Answer]: ...
    def initial_states(self) -> List[Dict[str, int]]: ...
    def successors(self, state: Dict[str, int]) -> List[Tuple[str, Dict[str, int], Dict[str, Tuple[int, int]]]]: ...
    def holds_in(self, formula: str, state: Dict[str, int]) -> bool: ...
    def svg(self, what: str) -> str: ...
    def dot(self, what: str) -> str: ...
    def states_svg(self, most: int) -> Optional[str]: ...
    def notebook_svg(self) -> Optional[str]: ...
    def to_gal(self) -> str: ...
    def to_pnml(self) -> str: ...
    def flatten(self) -> Model: ...
