"""`tf.compat.v1.Variable`: `tf.Variable` with the arguments that it had in TensorFlow 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..eager import creation
from ..eager.variable import Variable
from ..eager.variable_options import VariableAggregationV2, VariableSynchronization
from ..graph.by_hand.default_graph import root_graph
from ..graph.by_hand.variables import GraphVariable


class VariableV1Type(type):
    """Calling `VariableV1` makes a variable; all variables are its instances."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, Variable)

    def __getattr__(cls, name: str) -> Any:
        """What variables have: `VariableV1.assign` is for all of them."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(GraphVariable, name)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, Variable)

    if not TYPE_CHECKING:  # there `VariableV1(...)` is what `__init__` says

        def __call__(cls, *args: Any, **kwargs: Any) -> Any:
            return made(*args, **kwargs)


class VariableV1(metaclass=VariableV1Type):
    """A variable of the graph that is being built, in `collections` and those of its kind.

    In a graph it has no value until a session has run its `initializer`. Where operations run at
    once, it is a `tf.Variable`. Devices, `use_resource`, lifting
    and protos are taken and ignored.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     v = tf.compat.v1.Variable([1.0, 2.0], name="v")
    ...     session.run(v.initializer)
    ...     print(session.run(v))
    [1. 2.]

    Raises:
        ValueError: no initial value, or one that does not fit `shape`, or of another dtype.
    """

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        expected_shape: Any = None,
        import_scope: str | None = None,
        constraint: Any = None,
        use_resource: bool | None = None,
        synchronization: VariableSynchronization = VariableSynchronization.AUTO,
        aggregation: VariableAggregationV2 = VariableAggregationV2.NONE,
        shape: Any = None,
        experimental_enable_variable_lifting: bool | None = None,
    ) -> None:
        """`made` has the same arguments; nothing is ever of this class."""


def made(
    initial_value: Any = None,
    trainable: bool | None = None,
    collections: Any = None,
    validate_shape: bool = True,
    caching_device: Any = None,
    name: str | None = None,
    variable_def: Any = None,
    dtype: Any = None,
    expected_shape: Any = None,
    import_scope: str | None = None,
    constraint: Any = None,
    use_resource: bool | None = None,
    synchronization: VariableSynchronization = VariableSynchronization.AUTO,
    aggregation: VariableAggregationV2 = VariableAggregationV2.NONE,
    shape: Any = None,
    experimental_enable_variable_lifting: bool | None = None,
) -> Any:
    """The variable that `VariableV1(...)` gives."""
    given: dict[str, Any] = {
        "initial_value": initial_value,
        "trainable": trainable,
        "validate_shape": validate_shape,
        "name": name,
        "dtype": dtype,
        "constraint": constraint,
        "synchronization": synchronization,
        "aggregation": aggregation,
        "shape": shape,
    }
    if root_graph() is None:
        return Variable(**given)
    return creation.create(Variable, **given, collections=collections, use_resource=use_resource)
