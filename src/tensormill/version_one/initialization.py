"""Operations that give variables their first values, and say which have none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..control.grouping import group
from ..core import context, dtypes
from ..eager.convert import constant
from ..eager.scopes import control_dependencies
from ..graph.by_hand.collections import GraphKeys
from ..graph.by_hand.default_collections import global_variables, local_variables
from ..graph.by_hand.default_graph import get_default_graph
from ..ops.array.concatenation import stack
from ..ops.array.select import boolean_mask
from ..ops.math.comparison import logical_not


def variables_initializer(var_list: Iterable[Any], name: str = "init") -> Any:
    """An operation that gives these variables their first values; eagerly they have them: None.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     v = tf.Variable(2.0)
    ...     session.run(tf.compat.v1.variables_initializer([v]))
    ...     print(session.run(v))
    2.0

    Raises:
        TypeError (in a graph): `var_list` is no list.
        AttributeError (in a graph): it holds what is no variable.
    """
    if not context.building_graph():
        return None
    return group(*[one.initializer for one in var_list], name=name)


def global_variables_initializer() -> Any:
    """An operation that gives all variables of the graph their first values; eagerly None.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     v = tf.Variable(2.0)
    ...     session.run(tf.compat.v1.global_variables_initializer())
    ...     print(session.run(v))
    2.0
    """
    return variables_initializer(global_variables() if context.building_graph() else ())


def local_variables_initializer() -> Any:
    """An operation that gives all local variables of the graph their first values; eagerly None.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     seen = tf.compat.v1.get_local_variable("seen", initializer=tf.constant(0))
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     print(session.run(seen))
    0
    """
    return variables_initializer(local_variables() if context.building_graph() else ())


def tables_initializer(name: str = "init_all_tables") -> Any:
    """An operation that fills the lookup tables of the graph; eagerly they are filled: None.

    >>> print(tf.compat.v1.tables_initializer())
    None

    Raises:
        ValueError (in a graph): it can have no operation of this name.
    """
    if not context.building_graph():
        return None
    listed = get_default_graph().get_collection(GraphKeys.TABLE_INITIALIZERS)
    return group(*listed, name=name)


def main_op() -> Any:
    """What a saved model does when it is loaded: variables get their first values, tables are
    filled; eagerly None.

    >>> with tf.Graph().as_default():
    ...     print(tf.compat.v1.saved_model.main_op.main_op().type)
    NoOp
    """
    if not context.building_graph():
        return None
    return group(
        global_variables_initializer(), local_variables_initializer(), tables_initializer()
    )


def main_op_with_restore(restore_op_name: Any) -> Any:
    """`main_op`, after an operation that gives variables their saved values.

    restore_op_name: that operation, or a tensor.

    >>> with tf.Graph().as_default():
    ...     saved = tf.no_op()
    ...     print(tf.compat.v1.saved_model.main_op_with_restore(saved).type)
    NoOp

    Raises:
        TypeError (in a graph): it is no operation.
    """
    with control_dependencies([main_op()]):
        return group(restore_op_name)


def is_variable_initialized(variable: Any) -> Any:
    """Whether a variable has a value, a bool scalar.

    >>> bool(tf.compat.v1.is_variable_initialized(tf.Variable(1.0)))
    True

    Raises:
        AttributeError: it is no variable.
    """
    return variable.is_initialized()


def report_uninitialized_variables(
    var_list: Sequence[Any] | None = None, name: str = "report_uninitialized_variables"
) -> Any:
    """The names of the variables that have no value yet, a vector of strings.

    var_list: all global and local variables of the graph, if it is not given.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     v = tf.Variable(2.0, name="v")
    ...     missing = tf.compat.v1.report_uninitialized_variables()
    ...     print(session.run(missing))
    [b'v']

    Raises:
        TypeError: `var_list` is no list.
        AttributeError: it holds what is no variable.
    """
    listed = [*global_variables(), *local_variables()] if var_list is None else list(var_list)
    if not listed:
        return constant([], dtypes.string, shape=[0], name=name)
    names = constant([one.name.rpartition(":")[0] for one in listed])
    return boolean_mask(names, logical_not(stack([one.is_initialized() for one in listed])))


def assert_variables_initialized(var_list: Sequence[Any] | None = None) -> Any:
    """The values of the variables, which fail to be read where one has none.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     v = tf.Variable(2.0)
    ...     session.run(v.initializer)
    ...     session.run(tf.compat.v1.assert_variables_initialized())

    Raises:
        TypeError: `var_list` is no list.
        AttributeError: it holds what is no variable.
    """
    listed = [*global_variables(), *local_variables()] if var_list is None else list(var_list)
    return group(*[one.value() for one in listed]) if listed else None


def set_random_seed(seed: int | None) -> None:
    """Set the seed of the graph that is being built, or else of eager execution.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     tf.compat.v1.set_random_seed(1)
    ...     first = session.run(tf.random.uniform([2]))
    >>> first.shape
    (2,)

    Raises:
        TypeError, ValueError: `seed` is no integer.
    """
    from ..core.random_state import set_seed

    if context.building_graph():
        get_default_graph().seed = None if seed is None else int(seed)
    else:
        set_seed(seed)
