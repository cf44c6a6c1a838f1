"""The classes of TensorFlow's messages, by name; made when somebody asks for the first."""

from __future__ import annotations

from typing import Any

from ...graph.proto.messages import data_types, is_number, message


def __getattr__(name: str) -> Any:
    try:
        return data_types()[name] if is_number(name) else message(name)
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
