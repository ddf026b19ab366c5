"""Mandala, a symbolic model checker, for Python.

    >>> import pymandala
    >>> m = pymandala.parse('''
    ...     gal lamp { int on = 0; transition switch [true] { on = 1 - on; } }
    ... ''', "gal")
    >>> m.states().count
    2
    >>> m.check("AG on == 0").holds
    False

`read` and `parse` give a `Model`, `Net` and `Program` build one; `Model.states` gives a `Space`, whose sets of states are
Python values (`StateSet`), and `Model.check` an `Answer`.
"""

from __future__ import annotations

from pymandala._build import Net, Program
from pymandala._model import Answer, Model, Move, Space, Step, Trace, generate, parse, read
from pymandala._native import MandalaError, ReadError, StateSet

__all__ = [
    "Answer",
    "MandalaError",
    "Model",
    "Move",
    "Net",
    "Program",
    "ReadError",
    "Space",
    "StateSet",
    "Step",
    "Trace",
    "generate",
    "parse",
    "read",
]
