"""What TensorFlow 1 does to variables without handles, which only graphs have: references.

`ref` and its like are handles here. What gives a reference there gives the new value here. Graphs
that are imported hand on the handle behind a reference (graph/proto/graph_import.py).
"""

from __future__ import annotations

from copy import copy
from typing import Any, ClassVar, Final

from ...core import context
from ...core.specs import ResourceSpec, TensorSpec
from ..array.slicing import StridedIndex
from ..bind import bind
from ..conversion import known_of
from ..families import Rephrased
from ..op import ANY, INDEX, NUMBERS, QUANTIZED, Attr, In, Op, OpType, Out, types
from ..state import variable_rows as rows
from ..state.handles import VarIsInitializedOp
from ..state.variable_slices import ResourceStridedSliceAssign
from ..state.variables import (
    AssignAddVariableOp,
    AssignSubVariableOp,
    AssignVariableOp,
    ResourceCountUpTo,
    read,
)
from . import dense, sparse


class ByReference(Rephrased, abstract=True):
    """Takes references: `references` are the names of these inputs."""

    references: ClassVar[tuple[str, ...]] = ("ref",)
    differentiable = False

    @property
    def reference(self) -> Any:
        """The handle of the variable that the operation is about."""
        return getattr(self, self.references[0])

    def infer(self) -> Any:
        return self.reference.spec.state

    def expand(self) -> Any:
        return value_after(self.reference, self.step())

    def step(self, name: str | None = None) -> Any:
        """Change the variable; in a graph, the operation that does. Nothing is to be done here."""


def value_after(handle: Any, step: Any) -> Any:
    """The value of a variable once an operation of the graph has run, if there is one."""
    here = context.top()
    waits = here.control_inputs if step is None else (*here.control_inputs, step)
    with context.entered(here.replace(control_inputs=waits)):
        return read(handle, dtype_behind(handle))


def dtype_behind(handle: Any) -> Any:
    """The dtype of a variable, of which there is the handle."""
    spec: Any = known_of(handle).spec if handle.symbolic else handle._array.spec
    return spec.state.dtype if isinstance(spec, ResourceSpec) else spec.dtype


class Assigning(ByReference, abstract=True):
    """Gives a variable another value."""

    ref = In("resource")
    value = In("T ...")
    output_ref = Out("T ...")
    T: Any = NUMBERS | QUANTIZED
    use_locking = Attr(False)
    means: ClassVar[type[Op]]

    def step(self, name: str | None = None) -> Any:
        return bind(self.means, self.ref, self.value, dtype=self.value.dtype, name=name)


class Assign(Assigning):
    """`value` becomes the value of the variable."""

    T = ANY
    validate_shape = Attr(True)
    use_locking = Attr(True)
    means = AssignVariableOp


class AssignAdd(Assigning):
    """`value` is added to the variable."""

    means = AssignAddVariableOp


class AssignSub(Assigning):
    """`value` is subtracted from the variable."""

    means = AssignSubVariableOp


class CountUpTo(ByReference):
    """The value of an integer variable, which is then one larger."""

    ref = In("resource")
    output = Out("T")
    limit = Attr(int)

    def expand(self) -> Any:
        return bind(ResourceCountUpTo, self.ref, limit=self.limit, T=dtype_behind(self.ref))

    def infer(self) -> TensorSpec:
        return TensorSpec((), self.ref.spec.state.dtype)


class IsVariableInitialized(ByReference):
    """Whether the variable has a value."""

    ref = In("resource")
    is_initialized = Out("bool")

    def expand(self) -> Any:
        return bind(VarIsInitializedOp, self.ref)


class RefIdentity(ByReference):
    """The value of a variable."""

    input = In("resource")
    output = Out("T ...")
    references = ("input",)


class StridedSliceAssign(ByReference):
    """`ref[begin:end:strides] = value`."""

    ref = In("resource")
    begin = In("Index n")
    end = In("Index n")
    strides = In("Index n")
    value = In("T ...")
    output_ref = Out("T ...")
    begin_mask = Attr(0)
    end_mask = Attr(0)
    ellipsis_mask = Attr(0)
    new_axis_mask = Attr(0)
    shrink_axis_mask = Attr(0)
    T = ANY
    Index = StridedIndex.Index

    def step(self, name: str | None = None) -> Any:
        attrs = {**self.attr_values(), "T": self.value.dtype, "name": name}
        parts = (self.begin, self.end, self.strides, self.value)
        return bind(ResourceStridedSliceAssign, self.ref, *parts, **attrs)


class ScatteringRows(ByReference, abstract=True):
    """Combines rows of a variable with updates."""

    ref = In("resource")
    indices = In("Tindices ...")
    updates = In("T ...")
    output_ref = Out("T ...")
    use_locking = Attr(False)
    T: Any = NUMBERS | QUANTIZED
    Tindices = INDEX
    means: ClassVar[type[Op]]

    def step(self, name: str | None = None) -> Any:
        attrs = {"dtype": self.updates.dtype, "name": name}
        return bind(self.means, self.ref, self.indices, self.updates, **attrs)


class ScatterUpdate(ScatteringRows):
    """Rows are replaced."""

    T = ANY
    use_locking = Attr(True)
    means = rows.ResourceScatterUpdate


class ScatterAdd(ScatteringRows):
    """Updates are added to rows."""

    means = rows.ResourceScatterAdd


class ScatterSub(ScatteringRows):
    """Updates are subtracted from rows."""

    means = rows.ResourceScatterSub


class ScatterMul(ScatteringRows):
    """Rows are multiplied."""

    means = rows.ResourceScatterMul


class ScatterDiv(ScatteringRows):
    """Rows are divided."""

    means = rows.ResourceScatterDiv


class ScatterMax(ScatteringRows):
    """Rows become the larger of themselves and the updates."""

    T = types("f16 bf16 f32 f64 i32 i64")
    means = rows.ResourceScatterMax


class ScatterMin(ScatteringRows):
    """Rows become the smaller of themselves and the updates."""

    T = types("f16 bf16 f32 f64 i32 i64")
    means = rows.ResourceScatterMin


class ScatteringSlices(ByReference, abstract=True):
    """Combines elements or slices of a variable with updates."""

    ref = In("resource")
    indices = In("Tindices ...")
    updates = In("T ...")
    output_ref = Out("T ...")
    use_locking = Attr(False)
    bad_indices_policy = Attr("", "DEFAULT ERROR IGNORE")
    T: Any = NUMBERS | QUANTIZED
    Tindices = INDEX
    means: ClassVar[type[Op]]

    def step(self, name: str | None = None) -> Any:
        attrs = {"T": self.updates.dtype, "bad_indices_policy": self.bad_indices_policy}
        return bind(self.means, self.ref, self.indices, self.updates, **attrs, name=name)


class ScatterNdUpdate(ScatteringSlices):
    """Slices are replaced."""

    T = ANY
    use_locking = Attr(True)
    means = rows.ResourceScatterNdUpdate


class ScatterNdAdd(ScatteringSlices):
    """Updates are added."""

    means = rows.ResourceScatterNdAdd


class ScatterNdSub(ScatteringSlices):
    """Updates are subtracted."""

    means = rows.ResourceScatterNdSub


class ScatterNdMax(ScatteringSlices):
    """Slices become the larger of themselves and the updates."""

    means = rows.ResourceScatterNdMax


class ScatterNdMin(ScatteringSlices):
    """Slices become the smaller of themselves and the updates."""

    means = rows.ResourceScatterNdMin


def stepping_by_reference(op: Any) -> Any:
    """The step of an optimizer that takes references, `ApplyAdam` for `ResourceApplyAdam`."""
    name = op.name.removeprefix("Resource")

    def step(self: Any, name: str | None = None) -> Any:
        operands = [getattr(self, one) for one in op.input_names]
        return bind(op, *operands, **self.attr_values(), name=name)

    body: dict[str, Any] = {
        "__module__": __name__, "__qualname__": name, "__doc__": f"{op.name} by references.",
        "references": tuple(op.changed()), "step": step, "T": op.T, "Tindices": INDEX,
        **{one: copy(field) for one, field in op.fields.items()}, "out": Out("T ..."),
    }  # fmt: skip
    return OpType(name, (ByReference,), body)


_HAVE_NONE: Final = ("KerasMomentum", "AdamWithAmsgrad")
STEPS: Final = [
    stepping_by_reference(op)
    for module in (dense, sparse)
    for name, op in vars(module).items()
    if name.startswith("Resource") and not name.endswith(_HAVE_NONE)
]
