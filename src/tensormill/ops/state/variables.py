"""What is done to variables. A kernel sees a handle as the variable's `Storage` (eager/variable).

A storage gives `read()` (the array, or an error where there is no value yet), `write(array)`, and
`sole_array()`: its array where nobody else holds it, so that it may be changed in place.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import active_count
from typing import Any, ClassVar

import numpy as numpy_module

from ...core import dtypes
from ...core.shapes import TensorShape
from ...core.specs import TensorSpec
from ...errors import KnownShapeError, OutOfRangeError, ShapeMismatchError
from ..bind import bind
from ..demand_readers import EAGER
from ..effects import Reads, Writes
from ..op import INDEX, NUMBERS, Attr, In, Op, Out, as_lower


class ReadVariableOp(Op):
    """The value of a variable now."""

    resource = In("resource")
    value = Out("dtype ...")
    dtype = Attr()
    effects = (Reads("resource"),)
    xla = as_lower

    def infer(self) -> TensorSpec:
        return self.resource.spec.state

    def eager(self, np: Any) -> Any:
        return self.resource.read()

    def lower(self, loops: Any) -> Any:
        return loops.read(self.resource)

    def vjp(self, dvalue: Any) -> Any:
        return (dvalue,)


class VariableShape(Op):
    """The shape of a variable's value."""

    input = In("resource")
    output = Out("out_type n")
    out_type = Attr(dtypes.int32, INDEX)
    effects = (Reads("input"),)
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec((self.input.spec.state.shape.rank,), self.out_type)

    def eager(self, np: Any) -> Any:
        return np.array(self.input.read().shape, self.out_type.storage)

    def xla(self, xla: Any) -> Any:
        return xla.constant(xla.read(self.input).shape, self.out_type)


def read(handle: Any, dtype: Any, name: str | None = None) -> Any:
    """The value behind a handle."""
    return bind(ReadVariableOp, handle, dtype=dtype, name=name)


class AssignVariableOp(Op):
    """`value` becomes the value of the variable."""

    resource = In("resource")
    value = In("dtype ...")
    dtype = Attr()
    validate_shape = Attr(False)
    effects = (Writes("resource"),)
    differentiable = False
    xla = as_lower

    def demands(self, sizes: Any) -> None:
        wanted = sizes.declared(self.resource)
        if wanted is None or (sizes.numpy_looks and wanted == self.value.shape):
            return  # as most of them
        have, name = sizes.shape(self.value, len(wanted)), getattr(self.resource, "name", "")
        sizes.compatible(have, wanted, KnownShapeError, CANNOT_ASSIGN, _to_variable(name))

    def infer(self) -> tuple[TensorSpec, ...]:
        return ()

    def eager(self, np: Any) -> None:
        self.resource.write(self.value)

    def lower(self, loops: Any) -> tuple[Any, ...]:
        loops.write(self.resource, self.value)
        return ()


def require_assignable(shape: TensorShape, value: TensorShape, name: str = "") -> None:
    """The same of a value whose operation is not there yet."""
    if not shape.is_compatible_with(value):
        raise KnownShapeError(CANNOT_ASSIGN.format(_to_variable(name), value, shape))


def _to_variable(name: str) -> str:
    return f" to variable '{name}'" if name else ""


CANNOT_ASSIGN = (
    "Cannot assign value{0}: Shape mismatch. The variable shape {2}, and the assigned value shape "
    "{1} are incompatible"
)


# Elements up to which a new array takes less time than to find out whether the old one may be
# changed.
SMALL = 512


def sole_array(storage: Any) -> Any:
    """The variable's array where it may be changed in place, else None.

    With other threads it may not: one could take it while it is changed.
    """
    return storage.sole_array() if active_count() == 1 else None


def update_value(storage: Any, changed: Callable[[Any], Any]) -> None:
    """Let a variable be `changed(target)`: its own array where it may be changed in place, else a
    copy; of another value again where compiled code was quicker.
    """
    with storage.changing():
        out = sole_array(storage)
        while True:
            before = storage.read()
            after = changed(before.copy() if out is None else out)
            if after is out or storage.exchange(before, after):
                return


class Update(Op, abstract=True):
    """The variable's value combined with a tensor of the same shape.

    Members say how: `combine_arrays(before, value, out)`, and `combine(before, value)` of
    elements.
    """

    combine_arrays: ClassVar[Callable[..., Any]]
    combine: ClassVar[Callable[..., Any]]

    resource = In("resource")
    value = In("dtype ...")
    dtype = Attr(allowed=NUMBERS)
    effects = (Reads("resource"), Writes("resource"))
    differentiable = False

    def demands(self, sizes: Any) -> Any:
        """The variable's value; eager execution looks at it where it holds it."""
        if sizes.numpy_looks:
            return None
        before = sizes.state(self.resource)
        demand_same_shape(sizes, sizes.shape(before), sizes.shape(self.value))
        return before

    def infer(self) -> tuple[TensorSpec, ...]:
        return ()

    def eager(self, np: Any) -> None:
        self.change(self.resource, self.value)

    @classmethod
    def change(cls, storage: Any, value: Any) -> None:
        """Do it to a variable's storage, with an array of its dtype.

        Raises:
            ShapeMismatchError: the array has another shape.
        """
        with storage.changing():
            # First: from here on we hold the array, too. A small one is made sooner than known.
            out = None if value.size <= SMALL else sole_array(storage)
            while True:
                before = storage.read()
                if before.shape != value.shape:
                    demand_same_shape(EAGER, before.shape, value.shape)
                changed = cls.combine_arrays(before, value, out)
                if changed is out or storage.exchange(before, numpy_module.asarray(changed)):
                    return

    def lower(self, loops: Any) -> tuple[Any, ...]:
        before = self.found

        def element(*index: Any) -> Any:
            return self.combine(before[index], self.value[index])

        loops.write(self.resource, loops.map(before.shape, before.dtype, element))
        return ()

    def xla(self, xla: Any) -> tuple[Any, ...]:
        xla.write(self.resource, self.combine(self.found, self.value))
        return ()


def demand_same_shape(sizes: Any, before: Any, value: Any) -> None:
    """What a variable is updated with has its shape."""
    message = (
        "Cannot update variable with shape {} using a Tensor with shape {}, shapes must be equal"
    )
    sizes.alike(before, value, ShapeMismatchError, message)


class AssignAddVariableOp(Update):
    """`value` is added to the variable."""

    combine_arrays = numpy_module.add

    def combine(self, before: Any, value: Any) -> Any:
        return before + value


class AssignSubVariableOp(Update):
    """`value` is subtracted from the variable."""

    combine_arrays = numpy_module.subtract

    def combine(self, before: Any, value: Any) -> Any:
        return before - value


class ResourceCountUpTo(Op):
    """The value of an integer variable, which is then one larger.

    Raises OutOfRangeError where it has reached `limit`.
    """

    resource = In("resource")
    output = Out("T")
    limit = Attr(int)
    T = Attr(allowed=INDEX)
    effects = (Reads("resource"), Writes("resource"))
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec((), self.resource.spec.state.dtype)

    def eager(self, np: Any) -> Any:
        before = self.resource.read()
        if int(before) >= self.limit:
            raise OutOfRangeError(AT_LIMIT.format(self.limit))
        self.resource.write(np.asarray(before + 1, before.dtype))
        return before

    def xla(self, xla: Any) -> Any:
        before = xla.read(self.resource)
        xla.check(before < self.limit, OutOfRangeError, AT_LIMIT.format(self.limit))
        xla.write(self.resource, before + 1)
        return before


AT_LIMIT = "Reached limit of {}"
