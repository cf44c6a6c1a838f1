"""Datasets whose elements, or which as a whole, functions make."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...core.specs import ObjectSpec, TensorSpec, ValueSpec
from ...eager.tensor import wrap_handle
from ...errors import OutOfRangeError
from ...ops.control.functional import GivenGraphs, returned_specs
from ...ops.op import Attr, In
from ..failures import ElementFailure, Items, continuing_after_failures, result_or_failure
from ..functions import CompiledFunction
from ..nodes.node import Node, Specs
from .family import OfElements, elements_of
from .functions import Found, compiled


class GeneratorDataset(OfElements, GivenGraphs):
    """What a function of a state gives, again and again until it raises an OutOfRangeError.

    The state is what `init_func` returns; `finalize_func` is given it at the end, or when nobody
    reads on.
    """

    init_func_other_args = In("[Tinit_func_args]")
    next_func_other_args = In("[Tnext_func_args]")
    finalize_func_other_args = In("[Tfinalize_func_args]")
    init_func = Attr()
    next_func = Attr()
    finalize_func = Attr()
    metadata = Attr("")
    graph_attrs = ("init_func", "next_func", "finalize_func")
    tensors = ("init_func_other_args", "next_func_other_args", "finalize_func_other_args")

    @classmethod
    def graphs_for(
        cls, attrs: Mapping[str, Any], operands: Sequence[Any], found: Found
    ) -> dict[str, Any]:
        first, following, last = ([one._known.spec for one in several] for several in operands)
        init = found(attrs["init_func"], first)
        state = returned_specs(init)
        return {
            "init_func": init,
            "next_func": found(attrs["next_func"], [*state, *following]),
            "finalize_func": found(attrs["finalize_func"], [*state, *last]),
        }

    def elements(self) -> tuple[ValueSpec, ...]:
        return tuple(map(TensorSpec, self.output_shapes, self.output_types))

    def kind(self) -> Any:
        pairs = zip(self.graph_attrs, self.tensors, strict=True)
        functions = [
            compiled(getattr(self, name), len(getattr(self, captured)), "GeneratorDataset", True)
            for name, captured in pairs
        ]
        counts = [len(getattr(self, name)) for name in self.tensors]
        return lambda *captured, specs: GeneratedNode(captured, functions, counts, specs)


class GeneratedNode(Node):
    """The elements that a function of a state gives."""

    def __init__(
        self,
        captured: Sequence[Any],
        functions: Sequence[CompiledFunction],
        counts: Sequence[int],
        specs: Specs,
    ) -> None:
        super().__init__(specs)
        rest = iter(captured)
        self.functions = functions
        self._captured = [[next(rest) for _ in range(count)] for count in counts]

    @continuing_after_failures
    def iterate(self) -> Items:
        pairs = zip(self.functions, self._captured, strict=True)
        init, following, last = (one.bound(captured) for one, captured in pairs)
        state = init(())
        try:
            while True:
                found = result_or_failure(following, state)
                if isinstance(found, ElementFailure) and isinstance(found.error, OutOfRangeError):
                    return
                yield found
        finally:  # or whoever reads the elements has left
            last(state)


class ChooseFastestBranchDataset(OfElements, GivenGraphs):
    """What one of several functions makes of a dataset, which all make the same: the first."""

    input_dataset = In("variant")
    ratio_numerator = In("i64")
    ratio_denominator = In("i64")
    other_arguments = In("[Targuments]")
    num_elements_per_branch = Attr()
    branches = Attr()
    other_arguments_lengths = Attr()
    graph_attrs = ("branches",)
    tensors = ("other_arguments",)

    @classmethod
    def graphs_for(
        cls, attrs: Mapping[str, Any], operands: Sequence[Any], found: Found
    ) -> dict[str, Any]:
        dataset, _, _, captured = operands
        elements = elements_of(dataset._known)
        rest = iter(captured)
        given = [
            [next(rest)._known.spec for _ in range(count)]
            for count in attrs["other_arguments_lengths"]
        ]
        whole = ObjectSpec("dataset", elements or (), is_value=True)
        branches = zip(attrs["branches"], given, strict=True)
        return {
            "branches": [
                found(name, None if elements is None else [whole, *own]) for name, own in branches
            ]
        }

    def derived(self) -> Sequence[ValueSpec] | None:
        return None

    def kind(self) -> Any:
        count = int(self.other_arguments_lengths[0])
        function = compiled(self.branches[0], count, "ChooseFastestBranchDataset")

        def made(child: Node, *captured: Any, specs: Specs) -> Node:
            return function.bound(captured[:count])((wrap_handle(child),))[0]._array

        return made
