"""Operations that keep tensors in a session, and take them out again."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.dtypes import as_dtype
from ...eager.convert import convert_to_tensor
from ...graph.by_hand.placeholders import placeholder
from ...ops.bind import bind
from ...ops.state.session_tensors import DeleteSessionTensor, GetSessionHandle, GetSessionTensor


def get_session_handle(data: Any, name: str | None = None) -> Any:
    """A tensor for whose value a session gives the handle of `data`, which it then keeps.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     handle = session.run(tf.compat.v1.get_session_handle(tf.constant([1.0, 2.0])))
    ...     there, value = tf.compat.v1.get_session_tensor(handle.handle, tf.float32)
    ...     print(session.run(value + 1.0, {there: handle.handle}))
    [2. 3.]

    Raises:
        TypeError: `data` is no tensor.
    """
    if not hasattr(data, "dtype"):
        raise TypeError("`data` must be of type Tensor.")
    return bind(GetSessionHandle, convert_to_tensor(data), name=name)


def get_session_tensor(handle: Any, dtype: Any, name: str | None = None) -> tuple[Any, Any]:
    """A placeholder for handles, and the tensor that a handle stands for, of `dtype`.

    handle: that of any such tensor; which one is meant, is fed.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     handle = session.run(tf.compat.v1.get_session_handle(tf.constant(3)))
    ...     there, value = tf.compat.v1.get_session_tensor(handle.handle, tf.int32)
    ...     print(session.run(value, {there: handle.handle}))
    3

    Raises:
        InvalidArgumentError: (when it runs) nothing is kept by this handle.
    """
    holder = placeholder(dtypes.string, [])
    return holder, bind(GetSessionTensor, holder, dtype=as_dtype(dtype), name=name)


def delete_session_tensor(handle: Any, name: str | None = None) -> tuple[Any, Any]:
    """A placeholder for handles, and the operation that drops the tensor of the one that is fed.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     handle = session.run(tf.compat.v1.get_session_handle(tf.constant(3)))
    ...     there, drop = tf.compat.v1.delete_session_tensor(handle.handle)
    ...     session.run(drop, {there: handle.handle})

    Raises:
        InvalidArgumentError: (when it runs) nothing is kept by this handle.
    """
    holder = placeholder(dtypes.string, [])
    return holder, bind(DeleteSessionTensor, holder, name=name)
