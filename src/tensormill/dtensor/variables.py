"""`DVariable`: a variable that lies on a mesh."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from weakref import ref

from ..core import context
from ..core.dtypes import bfloat16, float32, float64
from ..eager.convert import convert_to_tensor
from ..eager.fast_operators import OPERATORS
from ..eager.operators import Operators
from ..eager.variable import ResourceVariable
from ..eager.variable_saving import VARIABLE_VALUE
from ..errors import InvalidArgumentError
from ..ops.math.cast import cast
from ..ops.state import variables
from .calls import is_dtensor, relayout
from .layout import Layout
from .tensors import DEVICE, DHandle, DTensor, layout_text, placed_tensor, plain, value_text


class DVariable(ResourceVariable):
    """A variable with a layout: that of its initial value, or `layout`.

    initial_value: a tensor with a layout, a function that gives one, or with `layout` any value.
    What is assigned later has a layout, too, or goes to the mesh by itself, as operands do.

    >>> dtensor = tf.experimental.dtensor
    >>> mesh = dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
    >>> v = dtensor.DVariable([1.0, 2.0], layout=dtensor.Layout(["x"], mesh))
    >>> v.layout.sharding_specs
    ['x']

    Raises:
        InvalidArgumentError: neither the value nor `layout` says how it is laid out.
    """

    def __init__(self, initial_value: Any, *args: Any, dtype: Any = None, **kwargs: Any) -> None:
        layout = kwargs.pop("layout", None)
        value = initial_value() if callable(initial_value) else initial_value
        if not is_dtensor(value) and layout is None:
            raise InvalidArgumentError("Neither layout nor DTensor initial value are provided.")
        tensor = convert_to_tensor(value, dtype)
        if layout is not None:
            tensor = relayout(tensor, layout)
        if tensor.placed is None:
            raise InvalidArgumentError(f"the initial value has no known layout: {tensor!s}")
        self._layout = tensor.placed
        self._saved_short = False
        super().__init__(plain(tensor), *args, dtype=dtype, **kwargs)

    def _set_up(self, *args: Any, **kwargs: Any) -> None:
        super()._set_up(*args, **kwargs)
        handle = DHandle()
        handle._array, handle._dtype = self.handle._array, self.handle._dtype
        handle.placed = self._layout
        self._storage.division = self._layout.division()
        handle.variable = ref(self)
        self._handle = handle

    @property
    def handle(self) -> DHandle:
        """What operations on the variable take: its layout with it."""
        return self._handle

    @handle.setter
    def handle(self, handle: Any) -> None:
        self._handle = handle

    @property
    def save_as_bf16(self) -> bool:
        """Whether checkpoints hold it in bfloat16, if it is of floats."""
        return self._saved_short

    @save_as_bf16.setter
    def save_as_bf16(self, save_as_bf16: bool) -> None:
        self._saved_short = save_as_bf16

    @property
    def create(self) -> Any:
        """What makes it in a graph of TensorFlow 1: there is none.

        Raises:
            RuntimeError: always, since variables are made when their class is called.
        """
        raise RuntimeError(
            "a variable of a mesh is made at once: only graphs of TensorFlow 1 create one later"
        )

    @property
    def layout(self) -> Layout:
        """How it is laid out."""
        return self._layout

    @property
    def device(self) -> str:
        return DEVICE

    def value(self) -> Any:
        """The value now, as a tensor with the layout of the variable."""
        return variables.read(self.handle, self.dtype)

    def read_value_no_copy(self) -> Any:
        """The value now, as `value` gives it."""
        return self.value()

    def _now(self) -> DTensor:
        return placed_tensor(self._storage.read(), self._layout.mesh, self._layout)

    def numpy(self) -> Any:
        """The value, of a variable that every device has as a whole.

        Raises:
            UnimplementedError: it is divided.
            NotImplementedError: a function is being traced.
        """
        if context.building_graph():
            raise NotImplementedError("numpy() is only available when eager execution is enabled.")
        return self._now().numpy()

    @property
    def _is_shortened(self) -> bool:
        """Whether files hold fewer bits of it than it has."""
        return self.save_as_bf16 and self.dtype in (float32, float64)

    def _serialize_to_tensors(self) -> dict[str, Any]:
        value = plain(self._now())
        return {VARIABLE_VALUE: cast(value, bfloat16) if self._is_shortened else value}

    def _restore_from_tensors(self, restored_tensors: Mapping[str, Any]) -> Any:
        value = convert_to_tensor(restored_tensors[VARIABLE_VALUE])
        if self._is_shortened and value.dtype is bfloat16:
            value = cast(value, self.dtype)
        if self.shape.is_compatible_with(value.shape):
            value = relayout(value, self._layout)
        return super()._restore_from_tensors({VARIABLE_VALUE: value})

    def __deepcopy__(self, memo: dict[int, Any]) -> DVariable:
        made = DVariable(self._now(), trainable=self.trainable, name=self._shared_name)
        memo[id(self)] = made
        return made

    def __repr__(self) -> str:
        now = self._now()
        return (
            f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}, "
            f"value={value_text(now)}, layout={layout_text(now)}>"
        )


# As for tensors, operators take the way of all operations.
for _name in OPERATORS:
    setattr(DVariable, _name, getattr(Operators, _name))


def enable_save_as_bf16(variables: Sequence[DVariable]) -> None:
    """Have checkpoints hold float variables in bfloat16, from which they are read as before.

    >>> dtensor = tf.experimental.dtensor
    >>> mesh = dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
    >>> v = dtensor.DVariable([1.001], layout=dtensor.Layout(["x"], mesh))
    >>> dtensor.enable_save_as_bf16([v])
    >>> path = tf.train.Checkpoint(v=v).save("short")
    >>> tf.train.load_checkpoint(path).get_variable_to_dtype_map()["v/.ATTRIBUTES/VARIABLE_VALUE"]
    tf.bfloat16

    Raises:
        AttributeError: something is no variable of a mesh.
    """
    for variable in variables:
        variable.save_as_bf16 = True
