"""`tf.__internal__.dispatch`: clients' own answers to calls with objects that are no tensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from ...ops.dispatch.meanings import OF_FOREIGN, dispatchable, meanings_of, means_for


class OpDispatcher:
    """Answers calls of one function: subclasses say how, in `handle`."""

    NOT_SUPPORTED: ClassVar[Any] = NotImplemented

    def handle(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """The result of the call; `NOT_SUPPORTED` where it is not this one's business."""
        return self.NOT_SUPPORTED

    def register(self, op: Any) -> None:
        """Ask this one when `op` is called with what is no tensor.

        Raises:
            ValueError: the function has one meaning only.
        """
        function, owner = getattr(op, "__func__", op), getattr(op, "__self__", None)
        if isinstance(owner, type) and meanings_of(function) is None:
            function = dispatchable(function)
            setattr(owner, function.__name__, classmethod(function))
        meanings = meanings_of(function)
        if meanings is None:
            raise ValueError(f"{op} is not dispatchable: no function or class method of the API")
        OF_FOREIGN.append((meanings.function, lambda _, args, kwargs: self.handle(args, kwargs)))


class GlobalOpDispatcher:
    """Answers calls of any function."""

    NOT_SUPPORTED: ClassVar[Any] = NotImplemented

    def handle(self, op: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """The result of `op(*args, **kwargs)`; `NOT_SUPPORTED` where it is not this one's."""
        return self.NOT_SUPPORTED

    def register(self) -> None:
        OF_FOREIGN.append((None, self.handle))


def add_dispatch_support(target: Any = None, iterable_parameters: Any = None) -> Any:
    """The decorated function of tensors may mean something else for others' classes."""
    return dispatchable if target is None else dispatchable(target)


def dispatch_for_types(op: Any, *types: type) -> Any:
    """What a function means where an argument is of one of these classes, as a decorator."""
    return means_for(op, *types)
