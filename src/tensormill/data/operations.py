"""Datasets and iterators in graphs: operations on handles, which run in Python."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.specs import ObjectSpec, TensorSpec, ValueSpec
from ..eager.tensor import from_array
from ..errors import OutOfRangeError
from ..graph.payload import wrap_payload
from ..ops.bind import bind
from ..ops.effects import World, Writes
from ..ops.lowering import NotStatic
from ..ops.op import NATIVE, Attr, In, Op, Out
from ..ops.origins import Origin
from .iterator_handles import Running, blank_component, no_rows
from .nodes.node import Node

TRUE, FALSE = (from_array(np.array(flag)) for flag in (True, False))

_numbers = itertools.count()


class Recipe(str):
    """How a dataset or a result is made of operands, under a name that is unique in the process.

    The first `nodes` operands are datasets, which `make` takes as nodes; the others are tensors.
    """

    make: Callable[..., Any]
    nodes: int
    specs: tuple[ValueSpec, ...]

    @classmethod
    def of(
        cls, name: str, make: Callable[..., Any], nodes: int, specs: Sequence[ValueSpec]
    ) -> Recipe:
        recipe = cls(f"{name}_{next(_numbers)}")
        recipe.make, recipe.nodes, recipe.specs = make, nodes, tuple(specs)
        return recipe

    def apply(self, operands: Sequence[Any]) -> Any:
        """What is made of the operands' payloads."""
        tensors = [wrap_payload(one) for one in operands[self.nodes :]]
        made = self.make(*operands[: self.nodes], *tensors)
        if isinstance(made, Node):
            made.recipe = self.make, tuple(tensors)
        return made


class MakeDataset(Op):
    """A dataset: a transformation of others, or a source."""

    components = In("[Tin]")
    handle = Out("variant")
    recipe = Attr()
    origin = Origin.GRAPHS
    differentiable = False

    def infer(self) -> ObjectSpec:
        return ObjectSpec("dataset", self.recipe.specs, is_value=True)

    def eager(self, np: Any) -> Node:
        return self.recipe.apply(self.components)


class UseDataset(Op):
    """What a whole pass over a dataset gives: a reduction, a single element, a number."""

    components = In("[Tin]")
    output = Out("[Tout]")
    recipe = Attr()
    Tout = Attr()
    origin = Origin.GRAPHS
    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> tuple[ValueSpec, ...]:
        return self.recipe.specs

    def eager(self, np: Any) -> tuple[Any, ...]:
        return tuple(self.recipe.apply(self.components))


class IterateDataset(Op):
    """A new iterator over a dataset."""

    dataset = In("variant")
    iterator = Out("resource")
    origin = Origin.GRAPHS
    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> ObjectSpec:
        return ObjectSpec("iterator", self.dataset.spec.elements)

    def eager(self, np: Any) -> Running:
        return Running(self.dataset)


class IteratorGetNext(Op):
    """The next element.

    Raises:
        OutOfRangeError: there is none.
    """

    iterator = In("resource")
    components = Out("[output_types]")
    output_types = Attr()
    output_shapes = Attr()
    effects = (Writes("iterator"), World.PYTHON)
    differentiable = False

    def infer(self) -> tuple[ValueSpec, ...]:
        return self.iterator.spec.elements

    def eager(self, np: Any) -> tuple[Any, ...]:
        element = self.iterator.next()
        if element is None:
            raise OutOfRangeError("End of sequence")
        return element


class IteratorTryNext(Op):
    """Whether there is a next element, and its components; where `wanted` is false nothing is
    taken. Components that are not there are empty or zero.
    """

    iterator = In("resource")
    wanted = In("bool")
    has_value = Out("bool")
    components = Out("[output_types]")
    output_types = Attr()
    origin = Origin.GRAPHS
    effects = (Writes("iterator"), World.PYTHON)
    differentiable = False

    def infer(self) -> tuple[ValueSpec, ...]:
        return TensorSpec((), dtypes.bool_), *self.iterator.spec.elements

    def eager(self, np: Any) -> tuple[Any, ...]:
        element = self.iterator.next() if self.wanted else None
        return (FALSE, *self.iterator.blanks) if element is None else (TRUE, *element)


class IteratorNextRows(Op):
    """How many elements come next, and these, stacked: at most `most`, none where it is at the end
    or `wanted` is false. For an iterator that nobody else has.
    """

    iterator = In("resource")
    wanted = In("bool")
    count = Out("i64")
    components = Out("[output_types]")
    most = Attr()
    output_types = Attr()
    origin = Origin.GRAPHS
    effects = (Writes("iterator"), World.PYTHON)
    differentiable = False

    def infer(self) -> tuple[ValueSpec, ...]:
        rows = [
            TensorSpec((None, *one.shape.as_list()), one.dtype)
            for one in self.iterator.spec.elements
        ]
        return TensorSpec((), dtypes.int64), *rows

    def eager(self, np: Any) -> tuple[Any, ...]:
        if self.wanted:
            return self.iterator.next_rows(self.most)
        return np.int64(0), *map(no_rows, self.iterator.spec.elements)


class Blank(Op):
    """Some tensor that `spec` describes, for a value that is not there: unknown sizes are 0."""

    output = Out("dtype ...")
    spec = Attr()
    dtype = Attr()
    origin = Origin.GRAPHS
    differentiable = False

    def infer(self) -> ValueSpec:
        return self.spec

    def eager(self, np: Any) -> Any:
        return blank_component(self.spec)

    def lower(self, loops: Any) -> Any:
        if self.spec.shape.entries is None or self.dtype not in NATIVE:
            raise NotStatic("strings and unknown ranks stay in Python")
        zero = loops.constant(0, self.dtype)
        sizes = tuple(size or 0 for size in self.spec.shape.entries)
        return loops.map(sizes, self.dtype, lambda *index: zero)

    def xla(self, xla: Any) -> Any:
        entries = self.spec.shape.entries
        if entries is None or self.dtype not in NATIVE:
            return xla.refuse("strings and unknown ranks stay in Python")
        return xla.np.zeros([size or 0 for size in entries], self.dtype.storage)


def blank_tensor(spec: Any) -> Any:
    """Such a tensor."""
    return bind(Blank, spec=spec, dtype=spec.dtype)


def make_dataset(
    name: str, make: Callable[..., Node], handles: Sequence[Any], tensors: Sequence[Any], specs: Any
) -> Any:
    """The handle of a dataset in the graph that is being traced."""
    recipe = Recipe.of(name, make, len(handles), specs)
    return bind(MakeDataset, [*handles, *tensors], recipe=recipe)


def use_dataset(
    name: str, use: Callable[..., Any], handle: Any, tensors: Sequence[Any], specs: Any
) -> tuple[Any, ...]:
    """What `use` makes of the node, in the graph that is being traced."""
    recipe = Recipe.of(name, use, 1, specs)
    types = tuple(spec.dtype for spec in specs)
    return bind(UseDataset, [handle, *tensors], recipe=recipe, Tout=types)


def get_next(handle: Any, specs: Sequence[ValueSpec]) -> tuple[Any, ...]:
    """The components of the next element."""
    types = tuple(spec.dtype for spec in specs)
    shapes = tuple(spec.shape for spec in specs)
    return bind(IteratorGetNext, handle, output_types=types, output_shapes=shapes)


def next_rows(handle: Any, wanted: Any, most: int, specs: Sequence[ValueSpec]) -> tuple[Any, ...]:
    """How many elements come next, at most `most`, and their components, stacked."""
    types = tuple(spec.dtype for spec in specs)
    return bind(IteratorNextRows, handle, wanted, most=most, output_types=types)


def try_next(handle: Any, wanted: Any, specs: Sequence[ValueSpec]) -> tuple[Any, ...]:
    """Whether there is a next element, and its components."""
    return bind(IteratorTryNext, handle, wanted, output_types=tuple(spec.dtype for spec in specs))
