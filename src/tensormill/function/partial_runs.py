"""`Session.partial_run`: one run of a part of a graph in several steps, as its feeds come.

Each operation runs once, in the step that first needs it; what later steps need of it is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from ..core.specs import TensorSpec
from ..errors import InvalidArgumentError
from ..graph.by_hand.subgraphs import Subgraph, needed_for, part_of
from ..graph.func_graph import FuncGraph
from ..graph.operation import Operation
from ..graph.symbolic import SymbolicTensor
from ..graph.symbolic_parts import known_of
from .fetches import Element
from .steps import Step

MakeStep = Callable[[Subgraph], Step]


class PartialRun:
    """What was asked for and may be fed, and what is known so far."""

    def __init__(
        self, graph: FuncGraph, fetches: Sequence[Element], feeds: Sequence[SymbolicTensor]
    ) -> None:
        self._graph: Final = graph
        self._fetches: Final = {_key(one) for one in fetches}
        self._feeds: Final = {id(one): one for one in feeds}
        self._wanted: Final = needed_for(graph, feeds, fetches)
        self._known: Final[dict[int, tuple[SymbolicTensor, Any]]] = {}
        self._done: Final[set[Operation]] = set()

    def results(
        self,
        fetches: Sequence[Element],
        fed: Mapping[int, tuple[SymbolicTensor, Any]],
        make_step: MakeStep,
    ) -> list[Any]:
        """The values of the tensors among `fetches`, now that `fed` are given.

        Raises:
            InvalidArgumentError: something was not announced, is fed again, or still lacks a feed.
        """
        self._check(fetches, fed)
        self._known.update(fed)
        self._run([one for one in fetches if not self._has(one)], make_step)
        return [self._known[id(one)][1] for one in fetches if not isinstance(one, Operation)]

    def _check(self, fetches: Sequence[Element], fed: Mapping[int, Any]) -> None:
        for key, (tensor, _) in fed.items():
            if key not in self._feeds:
                raise InvalidArgumentError(
                    f"The feed {tensor.name} was not specified in partial_run_setup."
                )
            if key in self._known:
                raise InvalidArgumentError(f"The tensor {tensor.name} has already been fed.")
        for one in fetches:
            if _key(one) not in self._fetches:
                raise InvalidArgumentError(
                    f"The fetch {one.name} was not specified in partial_run_setup."
                )

    def _has(self, wanted: Element) -> bool:
        return wanted in self._done if isinstance(wanted, Operation) else id(wanted) in self._known

    def _run(self, fetches: Sequence[Element], make_step: MakeStep) -> None:
        if not fetches:
            return
        known = [tensor for tensor, _ in self._known.values()]
        new = [one for one in needed_for(self._graph, known, fetches) if one not in self._done]
        for one in new:
            for output in one.outputs:
                if id(output) in self._feeds and id(output) not in self._known:
                    raise InvalidArgumentError(
                        f"Must feed {output.name} before what depends on it is fetched: "
                        f"{[fetch.name for fetch in fetches]}"
                    )
        kept = self._kept(new, fetches)
        part = part_of(self._graph, known, [*new, *kept], "session_partial_run", self._done)
        operands = [value for _, value in self._known.values()]
        results = make_step(part).results(operands)
        self._known.update(
            (id(one), (one, value)) for one, value in zip(kept, results, strict=True)
        )
        self._done.update(one for one in new if one.kind is not None and not one.is_of_session)

    def _kept(self, new: Sequence[Operation], fetches: Sequence[Element]) -> list[SymbolicTensor]:
        """What of the new operations is fetched, or may be needed by those that are left."""
        left = [one for one in self._wanted if one not in self._done and one not in set(new)]
        later = {id(tensor) for one in left for tensor in one.inputs}
        later |= self._fetches.union(map(id, fetches))
        return [
            output
            for one in new
            if not one.is_of_session
            for output in one.outputs
            if id(output) in later
            and id(output) not in self._known
            and isinstance(known_of(output).spec, TensorSpec)
        ]


def _key(element: Element) -> int:
    return id(element)
