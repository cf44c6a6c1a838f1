"""`tensorflow.python.util.protobuf.compare`: whether messages say the same."""

from __future__ import annotations

import difflib
from typing import Any

from ....graph.proto.messages import from_text, to_text


def _as_message(one: Any, other: Any) -> Any:
    return from_text(one, type(other)) if isinstance(one, str) else one


def assertProtoEqual(
    self: Any, a: Any, b: Any, check_initialized: bool = True, normalize_numbers: bool = False,
    msg: str | None = None, relative_tolerance: float | None = None,
) -> None:  # fmt: skip
    """Fail where two messages, of which one may be a text, are not the same.

    relative_tolerance: how far floats may be from each other.

    Raises:
        AssertionError: they differ.
    """
    a = _as_message(a, b)
    b = _as_message(b, a)
    if relative_tolerance is not None:
        a = type(a).FromString(a.SerializeToString())
        _let_be_near(a, b, relative_tolerance)
    if not ProtoEq(a, b):
        differing = difflib.ndiff(to_text(a).splitlines(), to_text(b).splitlines())
        self.fail(msg or "\n".join(["", *differing]))


def ProtoEq(a: Any, b: Any) -> bool:
    """Whether two messages are of one kind and say the same."""
    return a.DESCRIPTOR.full_name == b.DESCRIPTOR.full_name and a == b


def isClose(x: float, y: float, relative_tolerance: float) -> bool:
    """Whether two floats are that near, or both NaN."""
    if x != x or y != y:
        return x != x and y != y
    return x == y or abs(x - y) <= relative_tolerance * max(abs(x), abs(y))


def _let_be_near(a: Any, b: Any, tolerance: float) -> None:
    """Give floats of `a` the values that `b` has where they are near."""
    for field, value in a.ListFields():
        other = getattr(b, field.name)
        is_list = hasattr(value, "__len__") and not isinstance(value, (str, bytes))
        if field.message_type is not None and is_list and not hasattr(value, "items"):
            for mine, theirs in zip(value, other, strict=False):
                _let_be_near(mine, theirs, tolerance)
        elif field.message_type is not None and not is_list:
            _let_be_near(value, other, tolerance)
        elif isinstance(value, float) and isClose(value, other, tolerance):
            setattr(a, field.name, other)
        elif is_list and field.message_type is None:
            _let_all_be_near(value, other, tolerance)


def _let_all_be_near(values: Any, others: Any, tolerance: float) -> None:
    for k, (mine, theirs) in enumerate(zip(values, others, strict=False)):
        if isinstance(mine, float) and isClose(mine, theirs, tolerance):
            values[k] = theirs


class ProtoAssertions:
    """What a test has besides its other assertions."""

    def assertProtoEqual(self, *args: Any, **kwargs: Any) -> None:
        """Fail where two messages are not the same."""
        assertProtoEqual(self, *args, **kwargs)
