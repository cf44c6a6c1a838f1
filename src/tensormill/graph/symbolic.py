"""Tensors of a function that is being traced."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from ..core.dtypes import DType
from ..core.shapes import TensorShape
from ..core.specs import Known
from ..core.tensorflow_names import at_home_in
from ..eager.tensor import Tensor
from ..errors import InaccessibleTensorError, OperatorNotAllowedInGraphError
from ..ops.op import REGISTRY
from . import ir
from .by_hand import sessions
from .operation import Operation

if TYPE_CHECKING:
    from .func_graph import FuncGraph


@at_home_in("tensorflow.python.framework.ops")
class SymbolicTensor(Tensor):
    """A tensor that will exist when the function that is being traced runs."""

    __slots__ = ("__dict__", "__weakref__", "_known", "_narrowed", "_shape", "op", "value_index")

    symbolic: ClassVar[bool] = True

    def __init__(self, op: Operation, value_index: int, known: Known) -> None:
        self.op = op
        self.value_index = value_index
        self._known = known  # what inference may know of it
        self._shape = known.spec.shape
        self._narrowed: ir.Value | None = None

    @property
    def graph(self) -> FuncGraph:
        """The graph of which this is a part."""
        return self.op.graph

    @property
    def _ir(self) -> ir.Value:
        """What stands for this tensor in the graph's intermediate representation."""
        return self._narrowed or self.op.results[self.value_index]

    @property
    def dtype(self) -> DType:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self._known.spec.dtype

    @property
    def shape(self) -> TensorShape:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self._shape

    def get_shape(self) -> TensorShape:
        return self._shape

    @property
    def name(self) -> str:
        return f"{self.op.name}:{self.value_index}"

    @property
    def device(self) -> str:
        return self.op.device

    def consumers(self) -> list[Operation]:
        """The operations of the graph that take this tensor, each as often as it takes it."""
        operations = self.graph.get_operations()
        return [op for op in operations for one in op.inputs if one is self]

    def set_shape(self, shape: Any) -> None:
        """Narrow the static shape. The promise is checked when the function runs.

        Raises:
            ShapeMismatchError (a ValueError): no tensor has both this shape and the known one.
        """
        merged = self._shape.merge_with(shape)
        if merged.entries == self._shape.entries:
            return
        op = REGISTRY["EnsureShape"]
        (checked,) = self.graph.apply(op, (self,), {"shape": merged}, f"{self.op.name}/set_shape")
        # Not `checked._known`: that is worked out from this tensor's.
        known = Known(checked._known.spec, self._known.value, self._known.sizes)
        self._narrowed, self._known, self._shape = checked._ir, known, merged

    # ---- where Python needs a value, there is none yet
    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        """The value as an array, in a graph built by hand: `session.run(self, feed_dict)`.

        Raises:
            ValueError: there is no session.
            NotImplementedError: this tensor belongs to a function.
        """
        if self.op.graph.building_function:
            return super().eval(feed_dict, session)
        return sessions.run_in_session(self, feed_dict, session)

    def __hash__(self) -> int:
        """Only in graphs built by hand, where `feed_dict` has tensors as keys."""
        return super().__hash__() if self.op.graph.building_function else id(self)

    def __eq__(self, other: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """As in TensorFlow 1 a tensor of a graph that is built by hand is equal to itself only."""
        here = self.op.owner()
        if here is not None and here.building_function:
            return super().__eq__(other)
        return self is other

    def __ne__(self, other: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        here = self.op.owner()
        if here is not None and here.building_function:
            return super().__ne__(other)
        return self is not other

    def __bool__(self) -> NoReturn:
        raise self._not_allowed("Using a symbolic `tf.Tensor` as a Python `bool`", "tf.cond")

    def __iter__(self) -> NoReturn:
        raise self._not_allowed(
            "Iterating over a symbolic `tf.Tensor`", "tf.while_loop, tf.unstack"
        )

    def __contains__(self, item: Any) -> NoReturn:
        raise self._not_allowed(
            "Testing `in` on a symbolic `tf.Tensor`", "tf.reduce_any(x == item)"
        )

    def __len__(self) -> NoReturn:
        raise TypeError(
            f"len is not well defined for a symbolic Tensor ({self.name}); use x.shape for what is "
            "known while tracing, tf.shape(x) for what is known when the function runs"
        )

    def __int__(self) -> int:
        """The value, where tracing knows it already."""
        value = self._known.value
        if value is None:
            raise self._not_allowed("Using a symbolic `tf.Tensor` as a Python `int`", "tf.cast")
        return int(value)

    def __array__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise NotImplementedError(
            f"Cannot convert a symbolic tf.Tensor ({self.name}) to a numpy array: it has no value "
            f"while '{self.graph.name}' is traced. A NumPy call on a tensor can be made with "
            "tf.numpy_function, or by the TensorFlow operation of the same name"
        )

    def _not_allowed(self, what: str, instead: str) -> OperatorNotAllowedInGraphError:
        return OperatorNotAllowedInGraphError(
            f"{what} is not allowed: {self.name} has no value while '{self.graph.name}' is traced. "
            "AutoGraph converts `if`, `while` and `for` on tensors, but this code was not "
            f"converted; use {instead}, or let tf.function(autograph=True) convert the code"
        )

    def out_of_scope(self) -> InaccessibleTensorError:
        """The error for using this tensor outside of the function that made it."""
        frames = "\n".join(
            f'  File "{at.file}", line {at.line}, in {at.function}\n    {at.text}'
            for at in self.op.source
        )
        return InaccessibleTensorError(
            f"{self!r} is out of scope and cannot be used here. It belongs to {self._owner()} and "
            "only exists while that function runs: return it from there, or keep it in a "
            f"tf.Variable.\nThe tensor {self!r} was defined here:\n{frames}"
        )

    def _owner(self) -> str:
        try:
            return repr(self.graph)
        except ReferenceError:
            return "a function, branch or loop body that is gone"

    def __repr__(self) -> str:
        return f"<tf.Tensor '{self.name}' shape={self._shape} dtype={self.dtype.name}>"

    def __str__(self) -> str:
        shape = "" if self._shape.rank is None else f"shape={self._shape}, "
        return f'Tensor("{self.name}", {shape}dtype={self.dtype.name})'

    def __format__(self, specification: str) -> str:
        try:
            return str(self).__format__(specification)
        except ValueError:  # the format of a number, which is not known
            kind = type(self).__name__
            raise TypeError(f"unsupported format string passed to {kind}.__format__") from None

    def __copy__(self) -> SymbolicTensor:
        return self

    def __deepcopy__(self, memo: Any) -> SymbolicTensor:
        return self

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError(f"cannot pickle {self!r}: it only exists while '{self.graph.name}' runs")
