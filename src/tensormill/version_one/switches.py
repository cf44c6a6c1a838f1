"""What programs say at their beginning: whether they are of TensorFlow 1 or 2."""

from __future__ import annotations

from ..core.dimension import disable_v2_tensorshape, enable_v2_tensorshape
from ..eager.equality import disable_tensor_equality, enable_tensor_equality
from ..graph.by_hand.default_graph import (
    disable_eager_execution,
    enable_eager_execution,
    root_graph,
)
from ..graph.by_hand.variables import VariableKind


def disable_v2_behavior() -> None:
    """From here on operations go into the global graph, and elements of shapes are Dimensions.

    Tensors and variables are equal to themselves only. Control flow remains as it is: what graphs
    do is the same. Variables: see `disable_resource_variables`.

    >>> tf.compat.v1.disable_v2_behavior()
    >>> tf.executing_eagerly(), tf.zeros([2]).shape[0].value
    (False, 2)
    >>> tf.compat.v1.reset_default_graph()
    >>> tf.compat.v1.enable_v2_behavior()  # other examples run at once
    """
    disable_eager_execution()
    disable_v2_tensorshape()
    disable_tensor_equality()
    disable_resource_variables()


def enable_v2_behavior() -> None:
    """From here on operations run at once, as they do from the beginning.

    >>> tf.compat.v1.enable_v2_behavior()

    Raises:
        ValueError: the global graph has operations already.
    """
    enable_eager_execution()
    enable_v2_tensorshape()
    enable_tensor_equality()
    enable_resource_variables()


def control_flow_v2_enabled() -> bool:
    """Whether branches and loops are functions of graphs: True.

    >>> tf.compat.v1.control_flow_v2_enabled()
    True
    """
    return True


def enable_control_flow_v2() -> None:
    """Nothing: branches and loops are functions of graphs.

    >>> tf.compat.v1.enable_control_flow_v2()
    """


def disable_control_flow_v2() -> None:
    """Nothing: branches and loops stay functions of graphs, which compute the same.

    >>> tf.compat.v1.disable_control_flow_v2()
    """


def resource_variables_enabled() -> bool:
    """Whether a session that is asked for a variable gives the value before the run: True, but
    after `disable_resource_variables` or `disable_v2_behavior`.

    >>> tf.compat.v1.resource_variables_enabled()
    True
    """
    return not VariableKind.references


def enable_resource_variables() -> None:
    """Let sessions give the values that variables have before a run, as they do from the beginning.

    >>> tf.compat.v1.enable_resource_variables()
    """
    VariableKind.references = False


def disable_resource_variables() -> None:
    """Let sessions give the values that variables, those made from here on, have after a run.

    Otherwise they stay as they are, which makes the order of reading them certain.

    >>> tf.compat.v1.disable_resource_variables()
    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     v = tf.compat.v1.get_variable("v", initializer=1.0)
    ...     session.run(v.initializer)
    ...     print(session.run([v.assign_add(1.0), v]))
    [np.float32(2.0), np.float32(2.0)]
    >>> tf.compat.v1.enable_resource_variables()
    """
    VariableKind.references = True


def executing_eagerly_outside_functions() -> bool:
    """Whether operations run at once where no function is traced.

    >>> tf.compat.v1.executing_eagerly_outside_functions()
    True
    """
    return root_graph() is None
