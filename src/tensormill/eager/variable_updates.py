"""How variables change: assignments of the whole value, of rows, and of slices."""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NoReturn

from ..core import context
from ..core.dtypes import DType
from ..core.numpy_behavior import changes
from ..core.process import floating_point_warnings
from ..core.process.deprecation import deprecated
from ..core.process.tracebacks import hide_frames
from ..core.shapes import TensorShape
from ..errors import DTypeMismatchError, OpError
from ..ops.array.indexed_slices import IndexedSlices
from ..ops.bind import bind
from ..ops.op import Op
from ..ops.state import variables
from .convert import convert_to_tensor
from .kernels.numbers import number_beside
from .tensor import EagerHandle, EagerTensor

get_context: Final = context.current.get


class Updates:
    """The methods of `Variable` that change it.

    Each returns the variable itself; in a trace, a tensor of the value right after the change,
    which knows these methods, too; or None with `read_value=False`. `use_locking` is accepted and
    means nothing: updates are atomic.
    """

    handle: EagerHandle
    dtype: DType
    shape: TensorShape
    name: str

    def assign(
        self,
        value: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Replace the value.

        >>> v = tf.Variable([1.0, 2.0])
        >>> v.assign([3.0, 4.0]).numpy()
        array([3., 4.], dtype=float32)

        Raises:
            ValueError: `value` has another shape, or is a tensor of another dtype.
            TypeError: a Python value that does not fit the dtype.
        """
        storage = self._changed_at_once(value)
        if storage is not None and storage.spec.shape.entries == value._array.shape:
            storage.write(value._array)
            return self._as_result() if read_value else None
        tensor = value_for_variable(value, self.dtype)
        variables.require_assignable(self.shape, tensor.shape, self.name)
        bind(variables.AssignVariableOp, self.handle, tensor, dtype=self.dtype, name=name)
        return self._after(read_value)

    def assign_add(
        self,
        delta: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Add `delta`, a tensor of the same shape.

        >>> v = tf.Variable([1.0, 2.0])
        >>> v.assign_add([0.5, 0.5]).numpy()
        array([1.5, 2.5], dtype=float32)

        Raises:
            ShapeMismatchError (InvalidArgumentError, ValueError): it has another shape.
        """
        return self._update(variables.AssignAddVariableOp, delta, name, read_value)

    def assign_sub(
        self,
        delta: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Subtract `delta`, a tensor of the same shape.

        >>> v = tf.Variable([1.0, 2.0])
        >>> v.assign_sub([0.5, 0.5]).numpy()
        array([0.5, 1.5], dtype=float32)

        Raises:
            ShapeMismatchError (InvalidArgumentError, ValueError): it has another shape.
        """
        return self._update(variables.AssignSubVariableOp, delta, name, read_value)

    def _changed_at_once(self, value: Any) -> Any:
        """The storage, where nobody sees that it changes by a plain tensor of its dtype: `bind`
        would decide nothing and give the same two to its operation. Else None.
        """
        here = get_context(None)
        if type(value) is not EagerTensor or not (here is None or here.plain):
            return None
        handle = self.handle
        if type(handle) is not EagerHandle:
            return None
        storage = handle._array
        try:
            return storage if value._here.dtype is storage.spec.dtype.storage else None
        except AttributeError:  # it is on another device
            return None

    def _update(
        self, op: type[variables.Update], delta: Any, name: str | None, read_value: bool
    ) -> Any:
        try:
            if type(delta) is float or type(delta) is int:
                delta = self._number(delta)
            storage = self._changed_at_once(delta)
            if storage is not None:
                token = floating_point_warnings.enter()
                try:
                    op.change(storage, delta._array)
                    return self._as_result() if read_value else None
                except MemoryError:
                    pass  # the operation says it better
                finally:
                    floating_point_warnings.leave(token)
            tensor = value_for_variable(delta, self.dtype)
            bind(op, self.handle, tensor, dtype=self.dtype, name=name)
        except (TypeError, ValueError, OpError) as error:
            hide_frames(error)
            raise
        return self._after(read_value)

    def _number(self, value: float) -> Any:
        """A number as a tensor that is kept, where the variable is a scalar of numbers like it."""
        handle = self.handle
        if type(handle) is EagerHandle and not handle._array.spec.shape.rank:
            try:
                return number_beside(value, handle._array.spec.dtype.storage)
            except (TypeError, ValueError, OverflowError):
                pass  # the conversion says it better
        return value

    def _after(self, read_value: bool = True) -> Any:
        here: Any = context.top().interpreter
        if not read_value:
            return getattr(here, "latest_operation", None)
        if not here.building_graph:
            return self._as_result()
        if getattr(here, "building_function", True):  # where operations run in their order
            value = variables.read(self.handle, self.dtype)
            value._assigned = self.handle.variable  # v.assign(x).assign_add(y) goes on with v
            return value
        from .scopes import control_dependencies

        with control_dependencies([here.latest_operation]):
            return variables.read(self.handle, self.dtype)

    def _as_result(self) -> Any:
        """What stands for the variable as the result of a change."""
        return self

    # ---- rows

    def scatter_update(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Replace rows `sparse_delta.indices` by `sparse_delta.values`.

        >>> rows = tf.Variable([[1, 2], [3, 4]])
        >>> rows.scatter_update(tf.IndexedSlices([[5, 3]], [0])).numpy()
        array([[5, 3],
               [3, 4]], dtype=int32)
        """
        return self._scatter(_row_operations().ResourceScatterUpdate, sparse_delta, name)

    def scatter_add(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Add to rows; deltas of equal index add up.

        >>> rows = tf.Variable([[1, 2], [3, 4]])
        >>> rows.scatter_add(tf.IndexedSlices([[5, 3]], [0])).numpy()
        array([[6, 5],
               [3, 4]], dtype=int32)
        """
        return self._scatter(_row_operations().ResourceScatterAdd, sparse_delta, name)

    def scatter_sub(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Subtract from rows.

        >>> rows = tf.Variable([[1, 2], [3, 4]])
        >>> rows.scatter_sub(tf.IndexedSlices([[5, 3]], [0])).numpy()
        array([[-4, -1],
               [ 3,  4]], dtype=int32)
        """
        return self._scatter(_row_operations().ResourceScatterSub, sparse_delta, name)

    def scatter_mul(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Multiply rows.

        >>> rows = tf.Variable([[1, 2], [3, 4]])
        >>> rows.scatter_mul(tf.IndexedSlices([[5, 3]], [0])).numpy()
        array([[5, 6],
               [3, 4]], dtype=int32)
        """
        return self._scatter(_row_operations().ResourceScatterMul, sparse_delta, name)

    def scatter_div(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Divide rows.

        >>> rows = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        >>> rows.scatter_div(tf.IndexedSlices([[2.0, 4.0]], [1])).numpy()
        array([[1. , 2. ],
               [1.5, 1. ]], dtype=float32)
        """
        return self._scatter(_row_operations().ResourceScatterDiv, sparse_delta, name)

    def scatter_max(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Replace elements of rows by larger ones.

        >>> rows = tf.Variable([[1, 2], [3, 4]])
        >>> rows.scatter_max(tf.IndexedSlices([[5, 3]], [1])).numpy()
        array([[1, 2],
               [5, 4]], dtype=int32)
        """
        return self._scatter(_row_operations().ResourceScatterMax, sparse_delta, name)

    def scatter_min(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Replace elements of rows by smaller ones.

        >>> rows = tf.Variable([[1, 2], [3, 4]])
        >>> rows.scatter_min(tf.IndexedSlices([[5, 3]], [1])).numpy()
        array([[1, 2],
               [3, 3]], dtype=int32)
        """
        return self._scatter(_row_operations().ResourceScatterMin, sparse_delta, name)

    def _scatter(self, op: type[Op], delta: IndexedSlices, name: str | None) -> Any:
        if not isinstance(delta, IndexedSlices):
            raise TypeError(
                f"Argument `sparse_delta` must be a `tf.IndexedSlices`. Received arg: {delta}"
            )
        updates = convert_to_tensor(delta.values, self.dtype)
        bind(op, self.handle, delta.indices, updates, dtype=self.dtype, name=name)
        return self._after()

    def scatter_nd_update(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Replace the slices at `indices` [..., k], each of which names the first k axes.

        >>> v = tf.Variable([1, 2, 3])
        >>> v.scatter_nd_update([[0], [2]], [5, 1]).numpy()
        array([5, 2, 1], dtype=int32)
        """
        return self._scatter_nd(_row_operations().ResourceScatterNdUpdate, indices, updates, name)

    def scatter_nd_add(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Add to slices; updates of equal index add up.

        >>> v = tf.Variable([1, 2, 3])
        >>> v.scatter_nd_add([[0], [2]], [5, 1]).numpy()
        array([6, 2, 4], dtype=int32)
        """
        return self._scatter_nd(_row_operations().ResourceScatterNdAdd, indices, updates, name)

    def scatter_nd_sub(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Subtract from slices.

        >>> v = tf.Variable([1, 2, 3])
        >>> v.scatter_nd_sub([[0], [2]], [5, 1]).numpy()
        array([-4,  2,  2], dtype=int32)
        """
        return self._scatter_nd(_row_operations().ResourceScatterNdSub, indices, updates, name)

    def scatter_nd_max(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Replace elements of slices by larger ones.

        >>> v = tf.Variable([1, 2, 3])
        >>> v.scatter_nd_max([[0], [2]], [5, 1]).numpy()
        array([5, 2, 3], dtype=int32)
        """
        return self._scatter_nd(_row_operations().ResourceScatterNdMax, indices, updates, name)

    def scatter_nd_min(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Replace elements of slices by smaller ones.

        >>> v = tf.Variable([1, 2, 3])
        >>> v.scatter_nd_min([[0], [2]], [5, 1]).numpy()
        array([1, 2, 1], dtype=int32)
        """
        return self._scatter_nd(_row_operations().ResourceScatterNdMin, indices, updates, name)

    def _scatter_nd(self, op: type[Op], indices: Any, updates: Any, name: str | None) -> Any:
        updates = convert_to_tensor(updates, self.dtype)
        bind(op, self.handle, indices, updates, T=self.dtype, name=name)
        return self._after()

    def batch_scatter_update(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Replace, in each batch, the elements at `indices` [*batch, n] of the next axis.

        >>> v = tf.Variable([[1, 2], [3, 4]])
        >>> v.batch_scatter_update(tf.IndexedSlices([[7], [8]], [[0], [1]])).numpy()
        array([[7, 2],
               [3, 8]], dtype=int32)
        """
        from ..ops.array.gather import batch_indices

        places = batch_indices(convert_to_tensor(sparse_delta.indices))
        return self.scatter_nd_update(places, sparse_delta.values, name)

    def sparse_read(self, indices: Any, name: str | None = None) -> Any:
        """Rows `indices`: [*indices.shape, *row].

        >>> tf.Variable([[1, 2], [3, 4]]).sparse_read([1, 0]).numpy()
        array([[3, 4],
               [1, 2]], dtype=int32)
        """
        return bind(
            _row_operations().ResourceGather, self.handle, indices, dtype=self.dtype,
            name=name or "Gather",
        )  # fmt: skip

    def gather_nd(self, indices: Any, name: str | None = None) -> Any:
        """The slices at `indices` [..., k].

        >>> tf.Variable([[1, 2], [3, 4]]).gather_nd([[0, 1], [1, 1]]).numpy()
        array([2, 4], dtype=int32)
        """
        from ..ops.array.gather import gather_nd

        return gather_nd(self, indices, name=name)

    @deprecated(None, "Use tf.data.Dataset.range instead.")
    def count_up_to(self, limit: int) -> Any:
        """The value, which is then one larger.

        >>> v = tf.Variable(1)
        >>> v.count_up_to(3).numpy(), v.numpy()
        (np.int32(1), np.int32(2))

        Raises:
            OutOfRangeError: it has reached `limit`.
            DTypeMismatchError (InvalidArgumentError, TypeError): it is no integer.
        """
        if not self.dtype.is_integer:
            raise DTypeMismatchError(
                f"count_up_to is for integers, but '{self.name}' is a variable of {self.dtype.name}"
            )
        return bind(variables.ResourceCountUpTo, self.handle, limit=limit, T=self.dtype)

    # ---- statements that look like changes and would only rebind the name

    def __iadd__(self, other: Any) -> NoReturn:
        raise _rebinding("+=", "assign_add(value)", "+")

    def __isub__(self, other: Any) -> NoReturn:
        raise _rebinding("-=", "assign_sub(value)", "-")

    def __imul__(self, other: Any) -> NoReturn:
        raise _rebinding("*=", "assign(variable * value)", "*")

    def __itruediv__(self, other: Any) -> NoReturn:
        raise _rebinding("/=", "assign(variable / value)", "/")

    def __ifloordiv__(self, other: Any) -> NoReturn:
        raise _rebinding("//=", "assign(variable // value)", "//")

    def __imod__(self, other: Any) -> NoReturn:
        raise _rebinding("%=", "assign(variable % value)", "%")

    def __ipow__(self, other: Any) -> NoReturn:
        raise _rebinding("**=", "assign(variable ** value)", "**")

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        raise TypeError(
            "'Variable' object does not support item assignment; use variable[key].assign(value)"
        )

    def __delitem__(self, key: Any) -> NoReturn:
        raise TypeError("'Variable' object does not support item deletion")


def value_for_variable(value: Any, dtype: DType) -> Any:
    """A value for a variable; a Python float that is a whole number fits integers, too.

    Raises:
        ValueError: a tensor of another dtype.
        TypeError: a Python value that does not fit.
    """
    if isinstance(value, float) and dtype.is_integer and value.is_integer():
        value = int(value)
    if changes.promotion is not None:
        value = changes.promotion.for_variable(value, dtype)
    return convert_to_tensor(value, dtype)


def _rebinding(statement: str, method: str, operator: str) -> RuntimeError:
    return RuntimeError(
        f"`variable {statement} value` with `tf.Variable`s is not supported. Use "
        f"`variable.{method}` to modify the variable, or `out = variable {operator} value` to get "
        f"a new tensor."
    )


@cache
def _row_operations() -> Any:
    """The module of operations on rows, which few programs need."""
    from ..ops.state import variable_rows

    return variable_rows
