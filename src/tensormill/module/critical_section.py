"""`tf.CriticalSection`: code that one at a time runs, of all threads and functions."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextvars import ContextVar
from typing import Any, Final

from ..core import context, tree
from ..core.process.with_blocks import block
from ..ops.bind import bind
from ..ops.control.flow import identity
from ..ops.state.mutexes import ConsumeMutexLock, MutexLock, MutexV2

# The sections that this thread is in, or that are being traced.
_ENTERED: Final[ContextVar[tuple[Any, ...]]] = ContextVar("entered", default=())


class CriticalSection:
    """Runs functions so that no two of them run at the same time.

    shared_name: sections of one name are one section. Other arguments are TensorFlow's.

    >>> section, count = tf.CriticalSection(), tf.Variable(0)
    >>> @tf.function
    ... def one_more():
    ...     return section.execute(lambda: count.assign(count * 2 + 1))
    >>> one_more(), int(one_more())
    (<tf.Tensor: shape=(), dtype=int32, numpy=1>, 3)

    Raises:
        ValueError: `critical_section_def` is given, which nothing writes.
    """

    def __init__(
        self,
        name: str | None = None,
        shared_name: str | None = None,
        critical_section_def: Any = None,
        import_scope: str | None = None,
    ) -> None:
        if critical_section_def is not None:
            raise ValueError("Argument `critical_section_def` is not supported.")
        self._name: Final = name or shared_name or "critical_section"
        with context.init_scope():
            self._handle: Final = bind(MutexV2, shared_name=shared_name or "")

    @property
    def name(self) -> str:
        """What it is called."""
        return self._name

    def execute(
        self,
        fn: Callable[[], Any],
        exclusive_resource_access: bool = True,
        name: str | None = None,
    ) -> Any:
        """The result of `fn()`, a structure of tensors or None, which runs once nobody else is in.

        In a function it waits where the function runs. `exclusive_resource_access` is accepted.

        Raises:
            ValueError: `fn` enters the same section again, for which it would wait for ever.
        """
        if self in _ENTERED.get():
            raise ValueError(
                "Attempting to lock a CriticalSection in which we are already running: that would "
                "wait for ever"
            )
        with self._entered():
            lock = bind(MutexLock, self._handle, name=name)
            try:
                found = tree.map_structure(_result, fn())
            finally:
                bind(ConsumeMutexLock, lock)
        return found

    @block
    def _entered(self) -> Generator[None]:
        token = _ENTERED.set((*_ENTERED.get(), self))
        try:
            yield
        finally:
            _ENTERED.reset(token)


def _result(value: Any) -> Any:
    return value if value is None else identity(value)
