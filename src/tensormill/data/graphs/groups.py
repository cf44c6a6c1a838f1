"""Groups of elements with equal keys, as operations."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ...core.dtypes import int64
from ...core.specs import ObjectSpec, TensorSpec, ValueSpec
from ...ops.control.functional import GivenGraphs, returned_specs
from ...ops.op import Attr, In
from ..nodes import mapping
from .family import OfElements, elements_of
from .functions import Found, compiled, settled

KEY = TensorSpec((), int64)


class GroupByWindowDataset(OfElements, GivenGraphs):
    """Windows of elements with equal keys, each made into a dataset."""

    input_dataset = In("variant")
    key_func_other_arguments = In("[Tkey_func_other_arguments]")
    reduce_func_other_arguments = In("[Treduce_func_other_arguments]")
    window_size_func_other_arguments = In("[Twindow_size_func_other_arguments]")
    key_func = Attr()
    reduce_func = Attr()
    window_size_func = Attr()
    metadata = Attr("")
    graph_attrs = ("key_func", "reduce_func", "window_size_func")
    tensors = (
        "key_func_other_arguments",
        "reduce_func_other_arguments",
        "window_size_func_other_arguments",
    )

    @classmethod
    def graphs_for(
        cls, attrs: Mapping[str, Any], operands: Sequence[Any], found: Found
    ) -> dict[str, Any]:
        dataset, *captured = operands
        elements = elements_of(dataset._known)
        if elements is None:
            return {name: found(attrs[name], None) for name in cls.graph_attrs}
        window = ObjectSpec("dataset", elements, is_value=True)
        own: tuple[Sequence[ValueSpec], ...] = elements, (KEY, window), (KEY,)
        return {
            name: found(attrs[name], [*first, *(one._known.spec for one in rest)])
            for name, first, rest in zip(cls.graph_attrs, own, captured, strict=True)
        }

    def kind(self) -> Any:
        captured = [getattr(self, name) for name in self.tensors]
        functions = [
            compiled(getattr(self, name), len(rest), "Dataset.group_by_window")
            for name, rest in zip(self.graph_attrs, captured, strict=True)
        ]
        return partial(mapping.GroupNode, functions=functions)

    def derived(self) -> Sequence[ValueSpec] | None:
        (spec,) = returned_specs(self.reduce_func)
        return getattr(spec, "elements", None)


class GroupByReducerDataset(OfElements, GivenGraphs):
    """What is made of all elements with equal keys."""

    input_dataset = In("variant")
    key_func_other_arguments = In("[Tkey_func_other_arguments]")
    init_func_other_arguments = In("[Tinit_func_other_arguments]")
    reduce_func_other_arguments = In("[Treduce_func_other_arguments]")
    finalize_func_other_arguments = In("[Tfinalize_func_other_arguments]")
    key_func = Attr()
    init_func = Attr()
    reduce_func = Attr()
    finalize_func = Attr()
    graph_attrs = ("key_func", "init_func", "reduce_func", "finalize_func")
    tensors = (
        "key_func_other_arguments",
        "init_func_other_arguments",
        "reduce_func_other_arguments",
        "finalize_func_other_arguments",
    )

    @classmethod
    def graphs_for(
        cls, attrs: Mapping[str, Any], operands: Sequence[Any], found: Found
    ) -> dict[str, Any]:
        dataset, *captured = operands
        elements = elements_of(dataset._known)
        if elements is None:
            return {name: found(attrs[name], None) for name in cls.graph_attrs}
        of_key, of_init, of_reduce, of_end = (
            [one._known.spec for one in several] for several in captured
        )
        init = found(attrs["init_func"], [KEY, *of_init])
        rest = [*elements, *of_reduce]
        start = returned_specs(init)
        reduce = settled(lambda given: found(attrs["reduce_func"], given), start, rest)
        state = [one.spec for one in reduce.parameters[: len(start)]]
        return {
            "key_func": found(attrs["key_func"], [*elements, *of_key]),
            "init_func": init,
            "reduce_func": reduce,
            "finalize_func": found(attrs["finalize_func"], [*state, *of_end]),
        }

    def kind(self) -> Any:
        captured = [getattr(self, name) for name in self.tensors]
        functions = [
            compiled(getattr(self, name), len(rest), "group_by_reducer")
            for name, rest in zip(self.graph_attrs, captured, strict=True)
        ]
        return partial(mapping.ReducedGroupsNode, functions=functions)

    def derived(self) -> Sequence[ValueSpec] | None:
        return returned_specs(self.finalize_func)
