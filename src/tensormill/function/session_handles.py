"""What a session gives for a tensor that it keeps: handles for later runs."""

from __future__ import annotations

from typing import Any, Final

from ..ops.state.session_tensors import drop, held


class TensorHandle:
    """A tensor that is kept between the runs of a session, until the handle goes.

    It may be fed where the tensor is wanted.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     x = tf.compat.v1.placeholder(tf.float32)
    ...     handle = session.run(tf.compat.v1.get_session_handle(tf.constant([1.0, 2.0])))
    ...     print(session.run(x * 2.0, {x: handle}), handle.eval())
    [2. 4.] [1. 2.]
    """

    def __init__(self, handle: bytes, dtype: Any) -> None:
        self.handle: Final = handle.decode()
        self.dtype: Final = dtype
        self._is_given_away = False

    def __str__(self) -> str:
        return self.handle

    def eval(self) -> Any:
        """The tensor, as an array.

        Raises:
            InvalidArgumentError: it was deleted.
        """
        return held(self.handle).copy()

    def delete(self) -> None:
        """Keep it no more.

        Raises:
            TypeError: it was deleted before, or the raw handle was given away.
        """
        if self._is_given_away:
            raise TypeError(f"Persistent tensor {self.handle} may have already been deleted.")
        self._is_given_away = True
        drop(self.handle)

    def get_raw_handle(self) -> str:
        """The handle as a string; from here on the tensor stays until `delete_session_tensor`."""
        self._is_given_away = True
        return self.handle

    def __del__(self) -> None:
        if not self._is_given_away:
            drop(self.handle)
