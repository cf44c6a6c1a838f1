"""What operations that make datasets have in common."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar, Final

from ...core import dtypes
from ...core.specs import ObjectSpec, TensorSpec, ValueSpec
from ...errors import InvalidArgumentError
from ...graph.payload import spec_of_payload, wrap_payload
from ...ops.effects import World
from ...ops.op import Attr, Op, Out
from ..nodes.node import Node, made_by


def described(specs: Sequence[ValueSpec]) -> dict[str, Any]:
    """The two attributes that say what elements are."""
    return {
        "output_types": tuple(one.dtype for one in specs),
        "output_shapes": tuple(one.shape for one in specs),
    }


def elements_of(dataset: Any) -> tuple[ValueSpec, ...] | None:
    """What is in the elements of an operand; None where a file does not say so."""
    spec = dataset.spec
    return spec.elements if isinstance(spec, ObjectSpec) else None


# What is known of a handle whose dataset comes later.
OPEN: Final = ObjectSpec("element", is_value=True)


def said(op: Any, known: Sequence[ValueSpec] | None) -> tuple[ValueSpec, ...]:
    """The specs that attributes say. Of handles they say nothing: that is `known` by other means.

    Raises:
        InvalidArgumentError: it is not known.
    """
    specs = list[ValueSpec](map(TensorSpec, op.output_shapes, op.output_types))
    for place, spec in enumerate(specs):
        if spec.dtype in (dtypes.variant, dtypes.resource):
            if known is None or len(known) != len(specs):
                raise InvalidArgumentError(
                    f"{op.name}: elements are datasets, and the graph does not say of what"
                )
            specs[place] = known[place]
    return tuple(specs)


def said_so_far(op: Any) -> tuple[ValueSpec, ...]:
    """The same of what is told its dataset later."""
    return said(op, [OPEN] * len(op.output_types))


def typed_by(values: Sequence[Any], shapes: Sequence[Any]) -> tuple[ValueSpec, ...]:
    """The specs of such shapes and of the dtypes of operands, or what handles stand for."""
    specs = [getattr(one, "spec", None) or spec_of_payload(one) for one in values]
    return tuple(
        TensorSpec(shape, spec.dtype) if isinstance(spec, TensorSpec) else spec
        for spec, shape in zip(specs, shapes, strict=True)
    )


class DatasetOperation(Op, abstract=True):
    """A dataset of `kind`. Inputs that are datasets are given to it first, then the `tensors`."""

    handle = Out("variant")
    differentiable = False
    tensors: ClassVar[tuple[str, ...]] = ()

    def kind(self) -> Callable[..., Node]:
        """What makes the node; operands and attributes are there."""
        raise NotImplementedError(self.name)

    def elements(self) -> tuple[ValueSpec, ...]:
        """What is in the elements, while tracing and later."""
        return said(self, self.derived() if self.datasets() else None)

    def derived(self) -> Sequence[ValueSpec] | None:
        """The same as operands tell it."""
        return elements_of(self.datasets()[0])

    def datasets(self) -> tuple[Any, ...]:
        """The inputs that are datasets."""
        found: list[Any] = []
        for field in self.inputs:
            if field.dtype == "variant":
                value = getattr(self, field.name)
                found.extend(value) if field.listed else found.append(value)
        return tuple(found)

    def infer(self) -> ObjectSpec:
        return ObjectSpec("dataset", self.elements(), is_value=True)

    def eager(self, np: Any) -> Node:
        given: list[Any] = []
        for name in self.tensors:
            value = getattr(self, name)
            given.extend(value) if self.fields[name].listed else given.append(value)
        make = partial(self.kind(), specs=self.elements())
        return made_by(make, self.datasets(), [wrap_payload(one) for one in given])


class Deletion(Op, abstract=True):
    """A family: nothing, as what a handle stands for lives as long as something refers to it."""

    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        return ()


class OfElements(DatasetOperation, abstract=True):
    """One whose attributes say what elements are."""

    output_types = Attr()
    output_shapes = Attr()
