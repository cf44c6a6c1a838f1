"""Random programs as data (making.py makes them), run by calling the public functions.

A program is a list of steps. Each takes values made before it (by their numbers) and appends its
results. The maker knows the type of every value: its dtype, and a size for each axis, which is an
int or a name; two sizes of the same name are equal at run time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import tensormill as tf

Size = int | str
FLOATS = (tf.float32, tf.float64)
INTEGERS = (tf.int32, tf.int64)


@dataclass(frozen=True)
class Type:
    """What is known of a value before the program runs."""

    dtype: Any
    shape: tuple[Size, ...]

    @property
    def is_float(self) -> bool:
        return self.dtype in FLOATS

    @property
    def is_number(self) -> bool:
        return self.dtype is not tf.bool


@dataclass(frozen=True, eq=False)
class Step:
    """`run(state, *operands)` gives the results; `text` says what it does.

    `assigns`: it changes variables.
    """

    text: str
    operands: tuple[int, ...]
    run: Callable[..., tuple[Any, ...]]
    results: tuple[Type, ...]
    assigns: bool = False


@dataclass
class Program:
    """Steps after `parameters`; `returned` are the numbers of the values that it gives."""

    parameters: tuple[Type, ...]
    steps: list[Step] = field(default_factory=list[Step])
    returned: tuple[int, ...] = ()

    @property
    def types(self) -> list[Type]:
        return [*self.parameters, *(one for step in self.steps for one in step.results)]

    def __call__(self, state: Any, *arguments: Any) -> tuple[Any, ...]:
        values = list(arguments)
        for step in self.steps:
            values += map(state.rounded, step.run(state, *(values[k] for k in step.operands)))
        return tuple(values[k] for k in self.returned)

    def give(self, *numbers: int) -> None:
        """Return these values, and drop what neither they nor the variables need.

        Eager execution would run it, and perhaps fail; compiled code does not.
        """
        live, count = set(numbers), len(self.types)
        kept: list[Step] = []
        for step in reversed(self.steps):
            count -= len(step.results)
            made = set(range(count, count + len(step.results)))
            if live & made or step.assigns:
                live |= set(step.operands)
                kept.append(step)
        self._renumber(kept[::-1], numbers)

    def _renumber(self, kept: list[Step], returned: Sequence[int]) -> None:
        numbers = {k: k for k in range(len(self.parameters))}
        count = len(numbers)
        steps: list[Step] = []
        for step in self.steps:
            made = len(step.results)
            if step in kept:
                steps.append(replace(step, operands=tuple(numbers[k] for k in step.operands)))
                new = sum(len(one.results) for one in steps) + len(self.parameters) - made
                numbers.update({count + k: new + k for k in range(made)})
            count += made
        self.steps, self.returned = steps, tuple(numbers[k] for k in returned)

    @property
    def assigns(self) -> bool:
        return any(step.assigns for step in self.steps)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))

    def __repr__(self) -> str:
        number, lines = len(self.parameters), [f"program of {len(self.parameters)}:"]
        for step in self.steps:
            names = ", ".join(f"v{number + k}" for k in range(len(step.results)))
            number += len(step.results)
            given = ", ".join(f"v{k}" for k in step.operands)
            lines.append(f"  {names} = {step.text}({given})")
        lines.append("  return " + ", ".join(f"v{k}" for k in self.returned))
        return "\n".join(lines).replace("\n", "\n  ")
