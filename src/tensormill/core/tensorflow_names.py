"""Where a class lives in TensorFlow, told to whoever recognises classes by that.

Keras knows TensorFlow's objects by the name of their class and the text of its `__module__`,
without `isinstance`. Such a class says where TensorFlow keeps it:

    @at_home_in("tensorflow.python.framework.ops")
    class EagerTensor(Tensor): ...

and `__module__` says so too from the moment when tensormill stands in for TensorFlow
(`compat/alias.py` calls `move_in`), not before.

What TensorFlow says as a protobuf message says it by the methods of `HasProtoForm`: messages belong
to later folders, which are imported when somebody asks for one.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

Class = TypeVar("Class", bound=type)

_homes: dict[type, str] = {}
_moved_in = False


def at_home_in(module: str, name: str | None = None) -> Callable[[Class], Class]:
    """Decorate a class with the module in which TensorFlow has it, and what it is called there."""

    def decorate(cls: Class) -> Class:
        _homes[cls] = module
        cls.__name__ = name or cls.__name__
        if _moved_in:
            cls.__module__ = module
        return cls

    return decorate


def move_in() -> None:
    """Make all such classes, also those that are defined later, tell TensorFlow's modules."""
    global _moved_in
    _moved_in = True
    for cls, module in _homes.items():
        cls.__module__ = module


def stands_in() -> bool:
    """Whether `import tensorflow` means tensormill, so that TensorFlow can't be in this process."""
    return _moved_in


def _forms() -> Any:
    return import_module("tensormill.graph.proto.type_protos")


class HasProtoForm:
    """What can be said as a message."""

    __slots__ = ()

    def experimental_as_proto(self) -> Any:
        """The message that says the same.

        >>> tf.TensorSpec([2], tf.int32).experimental_as_proto().shape.dim[0].size
        2
        """
        return _forms().as_proto(self)

    @classmethod
    def experimental_from_proto(cls, proto: Any) -> Any:
        """What a message of `experimental_type_proto()` says.

        >>> tf.TensorShape.experimental_from_proto(tf.TensorShape([2, None]).as_proto())
        TensorShape([2, None])

        Raises:
            TypeError: it says something of another class.
        """
        return _forms().from_proto(cls, proto)

    @classmethod
    def experimental_type_proto(cls) -> Any:
        """The class of the messages.

        >>> tf.TensorSpec.experimental_type_proto().__name__
        'TensorSpecProto'
        """
        return _forms().type_proto(cls)
