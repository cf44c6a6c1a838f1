"""Collections of the default graph."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .collections import GraphKeys
from .default_graph import get_default_graph


def _variables(name: str, scope: str | None) -> list[Any]:
    return get_default_graph().get_collection(name, scope)


def get_collection(key: str, scope: str | None = None) -> list[Any]:
    """What the default graph keeps under a name (`tf.Graph.get_collection`).

    >>> with tf.Graph().as_default():
    ...     tf.compat.v1.add_to_collection("losses", 1.5)
    ...     print(tf.compat.v1.get_collection("losses"))
    [1.5]

    Raises:
        TypeError: `scope` is no string.
        re.error: it is no regular expression.
    """
    return get_default_graph().get_collection(key, scope)


def get_collection_ref(key: str) -> list[Any]:
    """The list that the default graph keeps under a name; changes of it count.

    >>> with tf.Graph().as_default():
    ...     tf.compat.v1.get_collection_ref("losses").append(1.5)
    ...     print(tf.compat.v1.get_collection("losses"))
    [1.5]

    Raises:
        TypeError: the name cannot be looked up: it has no hash.
    """
    return get_default_graph().get_collection_ref(key)


def add_to_collection(name: str, value: Any) -> None:
    """Keep a value in the default graph, under a name.

    >>> with tf.Graph().as_default() as graph:
    ...     tf.compat.v1.add_to_collection("losses", 1.5)
    >>> graph.get_collection("losses")
    [1.5]

    Raises:
        TypeError: the name cannot be looked up: it has no hash.
    """
    get_default_graph().add_to_collection(name, value)


def add_to_collections(names: Iterable[str] | str, value: Any) -> None:
    """Keep a value in the default graph, once under each of several names.

    >>> with tf.Graph().as_default() as graph:
    ...     tf.compat.v1.add_to_collections(["a", "b"], 2)
    >>> graph.get_collection("a"), graph.get_collection("b")
    ([2], [2])

    Raises:
        TypeError: the names are no list, or one cannot be looked up: it has no hash.
    """
    get_default_graph().add_to_collections(names, value)


def global_variables(scope: str | None = None) -> list[Any]:
    """The variables of the default graph that are saved and belong to its model.

    scope: a regular expression that the beginnings of their names match.

    >>> with tf.Graph().as_default():
    ...     v = tf.Variable(1.0, name="v")
    ...     print([one.name for one in tf.compat.v1.global_variables()])
    ['v:0']

    Raises:
        TypeError: `scope` is no string.
        re.error: it is no regular expression.
    """
    return _variables(GraphKeys.GLOBAL_VARIABLES, scope)


def local_variables(scope: str | None = None) -> list[Any]:
    """The variables of the default graph that only count for this process, such as metrics'.

    >>> with tf.Graph().as_default():
    ...     v = tf.compat.v1.get_local_variable("seen", initializer=tf.constant(0))
    ...     print([one.name for one in tf.compat.v1.local_variables()])
    ['seen:0']

    Raises:
        TypeError: `scope` is no string.
        re.error: it is no regular expression.
    """
    return _variables(GraphKeys.LOCAL_VARIABLES, scope)


def trainable_variables(scope: str | None = None) -> list[Any]:
    """The variables of the default graph that optimizers change.

    >>> with tf.Graph().as_default():
    ...     v, w = tf.Variable(1.0, name="v"), tf.Variable(1.0, trainable=False)
    ...     print([one.name for one in tf.compat.v1.trainable_variables()])
    ['v:0']

    Raises:
        TypeError: `scope` is no string.
        re.error: it is no regular expression.
    """
    return _variables(GraphKeys.TRAINABLE_VARIABLES, scope)


def model_variables(scope: str | None = None) -> list[Any]:
    """What is in the collection `GraphKeys.MODEL_VARIABLES` of the default graph.

    >>> with tf.Graph().as_default():
    ...     print(tf.compat.v1.model_variables())
    []

    Raises:
        TypeError: `scope` is no string.
        re.error: it is no regular expression.
    """
    return _variables(GraphKeys.MODEL_VARIABLES, scope)


def moving_average_variables(scope: str | None = None) -> list[Any]:
    """What is in the collection `GraphKeys.MOVING_AVERAGE_VARIABLES` of the default graph.

    >>> with tf.Graph().as_default():
    ...     print(tf.compat.v1.moving_average_variables())
    []

    Raises:
        TypeError: `scope` is no string.
        re.error: it is no regular expression.
    """
    return _variables(GraphKeys.MOVING_AVERAGE_VARIABLES, scope)
