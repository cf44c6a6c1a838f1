"""Options of datasets as TensorFlow's messages."""

from __future__ import annotations

import enum
from typing import Any, Final

from ..errors import InvalidArgumentError
from ..graph.proto.messages import DecodeError, message
from .nodes.node import Node
from .options import OptionGroup, Options

_GROUPS: Final = {
    "autotune": "autotune_options", "experimental_distribute": "distribute_options",
    "experimental_optimization": "optimization_options",
    "experimental_service": "service_options", "threading": "threading_options",
}  # fmt: skip


def _in_bytes(options: Any) -> bytes:
    if not isinstance(options, Options):
        return options or b""
    proto = message("Options")()
    _write(options, proto)
    return proto.SerializeToString()


def _write(group: OptionGroup, proto: Any) -> None:
    for name, value in group.__dict__.items():
        if isinstance(value, OptionGroup):
            part = getattr(proto, _GROUPS[name])
            part.SetInParent()
            _write(value, part)
        elif isinstance(value, list):
            getattr(proto, name).extend(value)
        elif value is not None:
            number = value.value if isinstance(value, enum.Enum) else value
            setattr(proto, name.removeprefix("experimental_"), number)


def options_of(node: Node) -> bytes:
    """The options of a dataset and of those that it is made of: what comes later counts.

    Raises:
        InvalidArgumentError: some are no options.
    """
    found = message("Options")()
    for part in [*map(options_of, node.inputs), _in_bytes(node.options)]:
        try:
            found.MergeFromString(part)
        except DecodeError:
            raise InvalidArgumentError(f"{part!r} are no options of a dataset") from None
    return found.SerializeToString()
