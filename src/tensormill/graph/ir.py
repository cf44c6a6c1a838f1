"""Level 1: a traced function. Dataclasses only; what is done with them lives beside this file.

    graph     ::= "graph" name "(" parameter* ")" captures? "->" spec* ":" operation* return
    return    ::= "return" value*
    parameter ::= name ":" spec
    captures  ::= "[" parameter* "]"
    operation ::= (name ":" spec)* "=" op "(" operand* attribute* ")" ("#" source)?

    graph step(x: f32[?, 8], w: f32[8, 4]) -> f32[?, 4]:
      h: f32[?, 4] = MatMul(x, w)                      # train.py:12
      return h

Operations are in execution order; those with effects happen in that order. Identity is equality.
An attribute that is a Graph is a branch or a body; its parameters are the operation's operands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..core.process.named_tuples import NamedTuple
from ..core.source import SourceLine, is_installed
from ..core.specs import ValueSpec
from ..ops.op import Op


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """A tensor, handle or list that exists when the graph runs."""

    name: str
    spec: ValueSpec


class ReplicaPlace(NamedTuple):
    """A replica of a strategy: its number among those of this process, its device as CPU:1."""

    number: int
    device: str


@dataclass(frozen=True, slots=True, eq=False)
class Application:
    """`results = op(operands, **attrs)`, after every operation in `after`, written at `source`.

    `operands` are flat. `counts` gives, for each input field of the op that is a list, how many
    operands it takes (None elsewhere), so that the op's fields can be filled again. `replica` is
    whose work it is, which strategies say: blocks of `tf.device` change the device alone.
    `gradient_type` is the name of the gradient function that replaces its own, or "".
    """

    op: type[Op]
    name: str
    operands: tuple[Value, ...]
    counts: tuple[int | None, ...]
    attrs: Mapping[str, Any]
    results: tuple[Value, ...]
    after: tuple[Application, ...] = ()
    source: tuple[SourceLine, ...] = ()  # the user's frames, outermost first
    device: str = ""
    replica: ReplicaPlace | None = None
    gradient_type: str = ""

    def grouped(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """`values` (one per flat operand) as the op's input fields take them."""
        groups: list[Any] = []
        position = 0
        for count in self.counts:
            if count is None:
                groups.append(values[position])
                position += 1
            else:
                groups.append(tuple(values[position : position + count]))
                position += count
        return tuple(groups)

    @property
    def line(self) -> SourceLine | None:
        """The innermost line of the user's own code; of a library's where there is no other."""
        own = [one for one in self.source if not is_installed(one.file)] or self.source
        return own[-1] if own else None


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Graph:
    """A function of tensors. `captures` are parameters too, filled with what was closed over."""

    name: str
    parameters: tuple[Value, ...]
    captures: tuple[Value, ...]
    operations: tuple[Application, ...]
    returns: tuple[Value, ...]
    attrs: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def inputs(self) -> tuple[Value, ...]:
        """Parameters, then captures: what a call passes."""
        return self.parameters + self.captures

    @property
    def called(self) -> str:
        """What it is called in messages and saved functions: unique where it was traced."""
        return self.attrs.get("function_name") or self.name

    def run(self, operands: Sequence[Any]) -> list[Any]:
        """What the graph returns for arrays, storages and lists: its meaning (`evaluate.py`)."""
        from .evaluate import evaluate

        return evaluate(self, operands)

    def __str__(self) -> str:
        from .text import print_graph

        return print_graph(self)
