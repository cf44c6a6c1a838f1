"""The graph of a thread that entered none, and programs that begin in it instead of eagerly."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any, Final

from ...core import context
from ...core.process.with_blocks import renewed
from ...eager.creation import creators
from ..builder import current_graph
from ..func_graph import FuncGraph

_global: Final[ContextVar[FuncGraph | None]] = ContextVar("tensormill global graph", default=None)


def get_default_graph() -> FuncGraph:
    """The graph that is being built here; where operations run at once, one that waits for some.

    >>> with tf.Graph().as_default() as graph:
    ...     print(tf.compat.v1.get_default_graph() is graph)
    True
    """
    return current_graph() or global_graph()


def root_graph() -> Any:
    """The graph built by hand around what is being traced here, or None: variables belong to it."""
    graph = current_graph()
    while graph is not None and graph.building_function and graph.enclosing is not None:
        graph = graph.enclosing
    return None if graph is None or graph.building_function else graph


def init_scope() -> renewed:
    """Leave every trace: operations within run eagerly, or go into the graph that is built by hand
    around the trace, and no recorder sees them.

    Names keep the scope that is around.

    >>> @tf.function
    ... def f():
    ...     with tf.init_scope():
    ...         return tf.executing_eagerly()
    >>> bool(f())
    True
    """
    root = root_graph()
    if root is None:
        return context.init_scope()
    here = context.top()
    inside = context.Context(root, name_scope=here.name_scope, observers=here.observers)
    return renewed(init_scope, context.current, inside)


def global_graph() -> FuncGraph:
    found = _global.get()
    if found is None:
        _global.set(found := FuncGraph())
    return found


def may_be_reset() -> bool:
    """Whether nothing but the global graph is built here."""
    here = current_graph()
    return here is None or here is _global.get()


def reset_default_graph() -> None:
    """Begin with an empty graph: the global one is forgotten.

    >>> tf.compat.v1.reset_default_graph()

    Raises:
        AssertionError: another graph is being built here.
    """
    here = current_graph()
    if not may_be_reset():
        raise AssertionError(
            f"Do not reset the default graph while {here!r} is built; leave its block first"
        )
    _global.set(None)
    if here is not None:
        _build_globally()


def disable_eager_execution() -> None:
    """From here on operations go into the global graph, which sessions run, as in TensorFlow 1.

    It holds for the thread that calls it; the others run eagerly unless they do so, too.

    >>> tf.compat.v1.disable_eager_execution()
    >>> tf.executing_eagerly(), tf.constant(1)
    (False, <tf.Tensor 'Const:0' shape=() dtype=int32>)
    >>> tf.compat.v1.reset_default_graph()
    >>> tf.compat.v1.enable_eager_execution()  # other examples run at once

    Raises:
        ValueError: a function or another graph is being traced here.
    """
    here = current_graph()
    if here is not None and here is not _global.get():
        raise ValueError(f"eager execution cannot be disabled while {here!r} is traced")
    _build_globally()


def _build_globally() -> None:
    graph = global_graph()
    interpreter: Any = graph
    context.current.set(context.Context(interpreter))
    creators.set((graph.variable_creator,))


def enable_eager_execution(
    config: Any = None, device_policy: Any = None, execution_mode: Any = None
) -> None:
    """From here on operations run at once, as they do from the beginning. The rest is ignored.

    >>> tf.compat.v1.enable_eager_execution()
    >>> tf.executing_eagerly()
    True

    Raises:
        ValueError: the global graph has operations already, or another graph is being traced here.
    """
    here = current_graph()
    if here is None:
        return
    if here is not _global.get():
        raise ValueError(f"eager execution cannot be enabled while {here!r} is traced")
    if here.get_operations():
        raise ValueError(
            "tf.enable_eager_execution must be called at program startup: the global graph has "
            f"{here.version} operations; call tf.compat.v1.reset_default_graph() first"
        )
    context.current.set(None)
    creators.set(())
    _global.set(None)
