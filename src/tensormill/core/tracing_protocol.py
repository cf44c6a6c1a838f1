"""The tracing protocol: classes may say for which of their values a trace is made."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, Protocol, runtime_checkable

from .type_spec import TypeSpec


class TraceType(ABC):
    """What `__tf_tracing_type__(self, context)` returns: the type of a value for `tf.function`.

    Calls whose trace types are equal, or of which the new one is a subtype of an earlier one, share
    a trace. The body sees `placeholder_value`. Where values hold tensors that differ from call to
    call, `flatten` has their specs, `to_tensors` has them, and `placeholder_value` asks the specs
    for theirs: `spec.placeholder_value(placeholder_context)`, in the same order.
    """

    @abstractmethod
    def is_subtype_of(self, other: Any) -> bool:
        """Whether a trace that was made for `other` serves values of this type."""

    @abstractmethod
    def most_specific_common_supertype(self, others: Sequence[Any]) -> Any:
        """The narrowest type that covers this and all `others`, for `reduce_retracing`; or None."""

    @abstractmethod
    def placeholder_value(self, placeholder_context: Any) -> Any:
        """What the body sees while it is traced."""

    @abstractmethod
    def __eq__(self, other: object) -> bool: ...

    @abstractmethod
    def __hash__(self) -> int: ...

    def to_tensors(self, value: Any) -> list[Any]:
        """The tensors of a value, always as many as `flatten` has specs."""
        return []

    def from_tensors(self, tensors: Iterator[Any]) -> Any:
        """A value around other tensors."""
        return self.placeholder_value(None)

    def flatten(self) -> list[Any]:
        """The specs of the tensors that `to_tensors` gives."""
        return []

    def cast(self, value: Any, cast_context: Any) -> Any:
        """`value` as a value of this type."""
        return value


TraceType.register(TypeSpec)


@runtime_checkable
class SupportsTracingProtocol(Protocol):
    """Whatever has `__tf_tracing_type__`."""

    def __tf_tracing_type__(self, context: Any) -> Any: ...


def trace_type_of(value: Any, context: Any) -> Any:
    """The trace type of a value that says which it has.

    Raises:
        TypeError: it says something else.
    """
    found = value.__tf_tracing_type__(context)
    if isinstance(found, TraceType):
        return found
    raise TypeError(
        f"Expected an instance of TraceType for Tracing Protocol call to {value!r} but got "
        f"{found!r}: derive its class from tf.types.experimental.TraceType"
    )
