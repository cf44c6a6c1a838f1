"""What operations mean for sparse and ragged tensors, whose own arguments they cannot be.

An operation, or a public function, fails where it gets one; then, and only then, is looked for what
it does with the values inside. Plain tensors so pay nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from importlib import import_module
from typing import Any, Final

from ..core import tree
from ..core.process.tracebacks import hide_frames
from ..core.type_spec import spec_of
from ..errors import OpError

# Elementwise operations that keep zero, and so may be applied to the values of a sparse tensor.
ON_SPARSE: Final = frozenset("Abs Neg Sign Square Sqrt Erf Tanh Cast".split())
# Operations that hand values on.
ON_ANY: Final = frozenset(("Identity", "StopGradient"))


def is_opaque(value: Any) -> bool:
    """Whether `value` is a composite that no tensor stands for."""
    return isinstance(value, tree.Composite) and not hasattr(value, "__tf_tensor__")


def _opaque_among(values: Any) -> Any:
    """The first composite among arguments and what lists of them hold."""
    for value in values:
        if is_opaque(value):
            return value
        if isinstance(value, (list, tuple)) and (found := _opaque_among(value)) is not None:
            return found
    return None


def applied(op: Any, operands: Sequence[Any], attrs: Mapping[str, Any], name: str | None) -> Any:
    """The result of `op` for operands of which some are composites; NotImplemented: none."""
    found = _opaque_among(operands)
    if found is None:
        return NotImplemented
    from .bind import bind

    if op.name in ON_ANY and spec_of(found) is not None:
        parts = [bind(op, part, **attrs) for part in found.components()]
        return found.with_components(parts)
    if hasattr(found, "flat_values"):
        from .ragged.elementwise import apply

        return apply(op, operands, attrs)
    if op.name in ON_SPARSE and hasattr(found, "with_values"):
        return found.with_values(bind(op, found.values, **attrs))
    return NotImplemented


def aware(function: Callable[..., Any], handler: str) -> Callable[..., Any]:
    """`function`, which for composites among its arguments does what `handler` does.

    `handler` is "folder.module.name" below this one, and gets the same arguments, defaults
    included; it answers NotImplemented for those that are not its business.
    """
    module, _, name = handler.rpartition(".")

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except (TypeError, ValueError, AttributeError) as error:
            if _opaque_among((*args, *kwargs.values())) is None:
                hide_frames(error)
                raise
            meaning = getattr(import_module(f".{module}", __package__), name)
            from inspect import signature

            bound = signature(function).bind(*args, **kwargs)
            bound.apply_defaults()
            result = meaning(*bound.args, **bound.kwargs)
            if result is NotImplemented:
                raise
            return result
        except OpError as error:
            hide_frames(error)
            raise

    return call


def on_elements(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function`, an elementwise one, which of ragged arguments takes the values inside."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except (TypeError, ValueError, AttributeError) as error:
            found = _opaque_among((*args, *kwargs.values()))
            if found is None or not hasattr(found, "flat_values"):
                hide_frames(error)
                raise
            from .ragged.elementwise import broadcast

            names = list(kwargs)

            def inside(*parts: Any) -> Any:
                count = len(args)
                return function(*parts[:count], **dict(zip(names, parts[count:], strict=True)))

            return broadcast(inside, [*args, *kwargs.values()])
        except OpError as error:
            hide_frames(error)
            raise

    return call


def on_values(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function`, which of a ragged first argument takes the values inside."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except (TypeError, ValueError, AttributeError) as error:
            from inspect import signature

            name = next(iter(signature(function).parameters))
            first, *rest = args or (kwargs.pop(name, None),)
            if not hasattr(first, "with_flat_values"):
                hide_frames(error)
                raise
            return first.with_flat_values(function(first.flat_values, *rest, **kwargs))
        except OpError as error:
            hide_frames(error)
            raise

    return call
