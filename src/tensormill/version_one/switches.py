"""What programs say at their beginning: whether they are of TensorFlow 1 or 2."""

from __future__ import annotations

from ..core.dimension import disable_v2_tensorshape, enable_v2_tensorshape
from ..graph.by_hand.default_graph import (
    disable_eager_execution,
    enable_eager_execution,
    root_graph,
)


def disable_v2_behavior() -> None:
    """From here on operations go into the global graph, and elements of shapes are Dimensions.

    Control flow and variables remain as they are: what graphs do is the same.

    >>> tf.compat.v1.disable_v2_behavior()
    >>> tf.executing_eagerly(), tf.zeros([2]).shape[0].value
    (False, 2)
    >>> tf.compat.v1.reset_default_graph()
    >>> tf.compat.v1.enable_v2_behavior()  # other examples run at once
    """
    disable_eager_execution()
    disable_v2_tensorshape()


def enable_v2_behavior() -> None:
    """From here on operations run at once, as they do from the beginning.

    >>> tf.compat.v1.enable_v2_behavior()

    Raises:
        ValueError: the global graph has operations already.
    """
    enable_eager_execution()
    enable_v2_tensorshape()


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
    """Whether variables are behind handles: True.

    >>> tf.compat.v1.resource_variables_enabled()
    True
    """
    return True


def enable_resource_variables() -> None:
    """Nothing: variables are behind handles.

    >>> tf.compat.v1.enable_resource_variables()
    """


def disable_resource_variables() -> None:
    """Nothing: variables stay behind handles, which makes the order of reading them certain.

    >>> tf.compat.v1.disable_resource_variables()
    """


def executing_eagerly_outside_functions() -> bool:
    """Whether operations run at once where no function is traced.

    >>> tf.compat.v1.executing_eagerly_outside_functions()
    True
    """
    return root_graph() is None
