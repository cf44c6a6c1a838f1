"""`tensorflow.python.saved_model.nested_structure_coder`: structures as messages."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from ....graph.proto.structured import NotEncodableError, decoded, encoded


def encode_structure(nested_structure: Any) -> Any:
    """A structure of specs and Python values as a StructuredValue.

    Raises:
        NotEncodableError: something in it is neither.
    """
    return encoded(nested_structure)


def decode_proto(proto: Any) -> Any:
    """The structure that a StructuredValue says."""
    return decoded(proto)


def can_encode(nested_structure: Any) -> bool:
    """Whether `encode_structure` takes it."""
    with suppress(NotEncodableError):
        encoded(nested_structure)
        return True
    return False
