"""What a loop is known to carry.

Each kind of knowledge only grows: a shape becomes less certain, a list of Python one of the graph,
a Python number gets a dtype, a variable without a value one that an iteration gives it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....core import tree
from ....core.dtypes import DType


class LoopState:
    """What the bodies traced so far have shown of a loop's variables, by their names."""

    def __init__(self) -> None:
        self.elements: dict[str, Any] = {}  # of lists that grow: what describes them
        self.wider: dict[str, Any] = {}  # shapes of tensors, specs of composites
        self.dtypes: dict[str, DType] = {}  # of Python numbers
        self.firsts: dict[str, Any] = {}  # what variables without a value get in an iteration
        self.varying: dict[str, Any] = {}  # tensors in the place of what looked like constants
        self.strict: set[str] = set()  # Python numbers that take no other dtype
        self.counted: set[str] = set()  # items and attributes that Python makes, and counts
        # Places that calls change, and no loop can carry: what they have left there.
        self.left_alone: dict[str, Any] = {}
        # Containers that took the places of others in what a variable holds, by the ways to them.
        self.moved: dict[str, set[str]] = {}
        # Variables that the body binds to the container that they have, which others know, too.
        self.kept_containers: set[str] = set()
        self.nones: set[str] = set()  # what is None in the first iteration, which looks at it
        self.outgrown: set[DType] = set()  # of numbers which now have another dtype
        self.begin()

    def begin(self) -> None:
        """A body is going to be traced."""
        self._forget(self.outgrown)
        self.is_known = True  # it has shown nothing new
        self.has_counted = False  # it has shown that calls change a number
        self.unchanged: set[Any] = set()  # leaves that it has left as they were
        self.needed: set[str] = set()  # what inner loops do something else with if it has no value
        self.outgrown = set()
        self.doubts: list[Exception] = []  # what is wrong unless the next body shows it otherwise

    def let_grow(self, elements: Mapping[str, Any]) -> None:
        """Raises ValueError where a body that knew it has made them longer all the same."""
        if elements.items() <= self.elements.items():
            names = ", ".join(elements)
            raise ValueError(f"{names} in each iteration, in another way each time")
        self.elements |= elements
        self.is_known = False

    def widen(self, name: str, wider: Any) -> None:
        self._note(self.wider, name, wider)

    def promote(self, name: str, before: DType, dtype: DType) -> None:
        self._note(self.dtypes, name, dtype)
        self.outgrown.add(before)

    def doubt(self, error: Exception) -> None:
        """Have the error where the body has shown nothing else that is new."""
        self.doubts.append(error)

    def check(self) -> None:
        """Raises what is in doubt, where no other round would show it otherwise."""
        if self.is_known and self.doubts:
            raise self.doubts[0]

    def start_from_others(self, outgrown: set[DType]) -> None:
        """Numbers of these dtypes will have others where this loop is."""
        self._forget(outgrown)
        self.dtypes.clear()
        self.strict.clear()

    def _forget(self, outgrown: set[DType]) -> None:
        """Let what numbers of these dtypes were put into show itself again."""
        for known in (self.elements, self.firsts, self.varying):
            for name in [name for name, fact in known.items() if _dtypes_in(fact) & outgrown]:
                del known[name]

    def give(self, name: str, value: Any, is_known: bool) -> None:
        """A variable without a value gets one like this; `is_known`: the body cannot tell whether
        it has got one before.
        """
        self.firsts[name] = value
        self.is_known = self.is_known and is_known

    def vary(self, name: str, value: Any) -> None:
        """A constant is none, but a tensor like this."""
        self._note(self.varying, name, value)

    def be_strict(self, name: str) -> None:
        """Let operations refuse a Python number, which would need another dtype for them."""
        self.strict.add(name)
        self.is_known = False

    def count_in_python(self, name: str) -> None:
        """Let the body find no value in a place outside of it, as in front of the loop, and leave
        there what it leaves: it makes it from what it has left there itself.
        """
        self.counted.add(name)
        self.is_known = False

    def start_with_none(self, name: str) -> None:
        """The first iteration does something else than the others, for it finds None."""
        self.nones.add(name)
        self.is_known = False

    def move(self, moved: Mapping[str, set[str]]) -> None:
        """Have an iteration start from other containers than those in front of the loop."""
        if moved != self.moved:
            self.moved = {name: {*ways} for name, ways in moved.items()}
            self.is_known = False

    def keep_containers(self, names: set[str]) -> None:
        """Have an iteration work on the containers in front of the loop, not on copies."""
        if not names <= self.kept_containers:
            self.kept_containers |= names
            self.is_known = False

    def discover(self, value: Any) -> None:
        """Calls change a place with this value."""
        self.is_known = False
        if any(type(leaf) in (int, float, complex) for leaf in tree.flatten(value)):
            self.has_counted = True

    def leave_alone(self, name: str, left: Any) -> None:
        self.left_alone[name] = left
        self.is_known = False

    def _note(self, known: dict[str, Any], name: str, fact: Any) -> None:
        known[name] = fact
        self.is_known = False


def _dtypes_in(fact: Any) -> set[DType]:
    leaves = tree.flatten(fact, expand_composites=True)
    return {leaf.dtype for leaf in leaves if hasattr(leaf, "dtype")}
