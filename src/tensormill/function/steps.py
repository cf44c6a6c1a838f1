"""Parts of graphs as code, with variables behind the handles that their operations give."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..core.process.named_tuples import NamedTuple
from ..eager.convert import convert_to_tensor
from ..eager.storage import Storage
from ..graph.by_hand.subgraphs import Subgraph, assigned_first
from ..graph.operation import Operation
from ..graph.payload import payload_of
from .callee import Callee
from .run_traces import RunTrace


class Step(NamedTuple):
    """The part of a graph for some fetches and feeds.

    `asked`: the variables of which it wants to know whether they have a value. `filled`: those to
    which it gives one before it asks for theirs.
    """

    callee: Callee
    asked: Sequence[Storage]
    filled: Sequence[Storage]

    def results(self, operands: Sequence[Any], trace: RunTrace | None = None) -> tuple[Any, ...]:
        """The tensors that are fetched, for what is fed; `trace` sees each operation run."""
        answers = [convert_to_tensor(one.value() is not None) for one in self.asked]
        begun = [one for one in self.filled if one.value() is None]
        for one in begun:  # native code writes into memory that is there
            dims = [size or 0 for size in one.spec.shape.entries or ()]
            one.write(np.zeros(dims, one.spec.dtype.storage))
        try:
            given = [*operands, *answers]
            return self.callee.call(given) if trace is None else trace.results(self.callee, given)
        except BaseException:
            for one in begun:
                one.array = None
            raise


def step_of(part: Subgraph, handle: Callable[[Operation], Any]) -> Step:
    """A part of a graph with the variables whose handles `handle` finds for operations."""
    handles = [handle(one) for one in part.handles]
    storages: list[Storage] = list(map(payload_of, handles))
    own = part.graph.captures[len(part.captured) :]
    first = assigned_first(part.graph)
    filled = [one for value, one in zip(own, storages, strict=True) if value in first]
    asked = [payload_of(handle(one.inputs[0].op)) for one in part.questions]
    return Step(Callee(part.graph, (*part.captured, *handles)), asked, filled)
