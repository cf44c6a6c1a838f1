"""The variable that counts the steps of a graph's training."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...eager.scopes import name_scope
from ...graph.by_hand.collections import GraphKeys
from ...graph.by_hand.default_graph import get_default_graph, root_graph
from ..initializers import ZerosV1
from ..variable_scopes import get_variable


def get_global_step(graph: Any = None) -> Any:
    """The global step of a graph, or None.

    >>> with tf.Graph().as_default():
    ...     print(tf.compat.v1.train.get_global_step())
    None

    Raises:
        RuntimeError: there are several.
    """
    found = (graph or get_default_graph()).get_collection(GraphKeys.GLOBAL_STEP)
    if len(found) > 1:
        raise RuntimeError(
            f"Multiple tensors in global_step collection: {[one.name for one in found]}"
        )
    return found[0] if found else None


def create_global_step(graph: Any = None) -> Any:
    """A variable, an int64 scalar that starts at 0, as the global step of a graph.

    >>> with tf.Graph().as_default():
    ...     print(tf.compat.v1.train.create_global_step().name)
    global_step:0

    Raises:
        ValueError: there is one.
    """
    owner = graph or get_default_graph()
    if get_global_step(owner) is not None:
        raise ValueError('"global_step" already exists.')
    if root_graph() is None and graph is None:
        return _made(owner, None)
    with owner.as_default() if root_graph() is not owner else name_scope(""):
        return _made(owner, [GraphKeys.GLOBAL_VARIABLES, GraphKeys.GLOBAL_STEP])


def _made(graph: Any, collections: Any) -> Any:
    made = get_variable(
        "global_step", [], dtypes.int64, ZerosV1(), trainable=False, collections=collections
    )
    if collections is None:
        graph.add_to_collection(GraphKeys.GLOBAL_STEP, made)
    return made


def get_or_create_global_step(graph: Any = None) -> Any:
    """The global step of a graph, made where there is none.

    >>> with tf.Graph().as_default():
    ...     step = tf.compat.v1.train.get_or_create_global_step()
    ...     print(tf.compat.v1.train.get_or_create_global_step() is step)
    True

    Raises:
        AttributeError: it is no graph.
        ValueError: it has a variable of that name which is no global step.
    """
    found = get_global_step(graph)
    if found is None:
        return create_global_step(graph)
    assert_global_step(found)
    return found


def global_step(sess: Any, global_step_tensor: Any) -> int:
    """The value of the global step in a session.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     step = tf.compat.v1.train.create_global_step()
    ...     session.run(step.initializer)
    ...     print(tf.compat.v1.train.global_step(session, step))
    0

    Raises:
        FailedPreconditionError: the global step has no value yet.
        AttributeError: `sess` is no session, where there is a graph.
    """
    return (
        int(sess.run(global_step_tensor)) if root_graph() is not None else int(global_step_tensor)
    )


def assert_global_step(global_step_tensor: Any) -> None:
    """Raise a TypeError where this is no integer, or no scalar.

    >>> tf.compat.v1.train.assert_global_step(tf.Variable(1))

    Raises:
        TypeError: it is not.
    """
    if not global_step_tensor.dtype.is_integer or global_step_tensor.shape.rank not in (0, None):
        raise TypeError(f"the global step must be an integer scalar, not {global_step_tensor!r}")
