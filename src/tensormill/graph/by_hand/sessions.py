"""Which session runs `tensor.eval()` and `operation.run()` in graphs that are built by hand."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any, Final

entered: Final[ContextVar[tuple[Any, ...]]] = ContextVar("tensormill sessions", default=())


def get_default_session() -> Any:
    """The session whose block is entered, or None.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     print(tf.compat.v1.get_default_session() is session)
    True
    >>> print(tf.compat.v1.get_default_session())
    None
    """
    return entered.get()[-1] if entered.get() else None


def run_in_session(fetch: Any, feed_dict: Mapping[Any, Any] | None, session: Any) -> Any:
    """What `session`, or else the default one, gives for a tensor or operation.

    Raises:
        ValueError: there is no session.
    """
    chosen = session if session is not None else get_default_session()
    if chosen is None:
        raise ValueError(
            f"Cannot evaluate {fetch!r}: no default session is registered; enter one by "
            "`with session.as_default():`, or pass session=..."
        )
    return chosen.run(fetch, feed_dict)
