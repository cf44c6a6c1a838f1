"""`tensorflow.python.util.tf_decorator` and `tf_contextlib`: wrappers that say what they wrap."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from inspect import FullArgSpec, Parameter, Signature, ismethod, signature
from typing import Any

from ...core.process.named_tuples import NamedTuple

contextmanager = contextlib.contextmanager


class TFDecorator(NamedTuple):
    """What is known of one wrapper around a function."""

    decorator_name: str
    decorated_target: Any
    decorator_doc: str = ""
    decorator_argspec: Any = None


def make_decorator(
    target: Callable[..., Any],
    decorator_func: Callable[..., Any],
    decorator_name: str | None = None,
    decorator_doc: str = "",
    decorator_argspec: Any = None,
) -> Callable[..., Any]:
    """`decorator_func`, with the names and the documentation of the `target` that it calls.

    Its signature is the target's as well, or what `decorator_argspec` says.
    """
    functools.update_wrapper(decorator_func, target)
    with contextlib.suppress(TypeError, ValueError):  # some callables of C tell none
        told = _called_as(target) if decorator_argspec is None else signature_of(decorator_argspec)
        decorator_func.__signature__ = told  # type: ignore[attr-defined]
    name = decorator_name or decorator_func.__name__
    decorator_func._tf_decorator = TFDecorator(name, target, decorator_doc, decorator_argspec)  # type: ignore[attr-defined]
    return decorator_func


def signature_of(told: FullArgSpec) -> Signature:
    """The signature that a FullArgSpec tells of."""
    plain = list(told.args)
    defaults = [Parameter.empty] * len(plain) + list(told.defaults or ())
    kind = Parameter.POSITIONAL_OR_KEYWORD
    found = [
        Parameter(name, kind, default=default)
        for name, default in zip(plain, defaults[len(defaults) - len(plain) :], strict=True)
    ]
    if told.varargs is not None:
        found.append(Parameter(told.varargs, Parameter.VAR_POSITIONAL))
    named = told.kwonlydefaults or {}
    found += [
        Parameter(name, Parameter.KEYWORD_ONLY, default=named.get(name, Parameter.empty))
        for name in told.kwonlyargs
    ]
    if told.varkw is not None:
        found.append(Parameter(told.varkw, Parameter.VAR_KEYWORD))
    return Signature(found)


def _called_as(target: Callable[..., Any]) -> Signature:
    """Its signature, without a `self` that an argspec told of though what it is around is bound."""
    told = signature(target)
    parameters = list(told.parameters.values())
    if parameters and parameters[0].name == "self" and ismethod(unwrap(target)[1]):
        return told.replace(parameters=parameters[1:])
    return told


def unwrap(maybe_decorated: Any) -> tuple[list[TFDecorator], Any]:
    """The decorators around a function, outermost first, and the function."""
    decorators: list[TFDecorator] = []
    target = maybe_decorated
    while (decorator := _around(target)) is not None:
        decorators.append(decorator)
        target = decorator.decorated_target
    return decorators, target


def rewrap(decorator_func: Any, previous_target: Any, new_target: Any) -> Any:
    """Let what lies around `previous_target`, within `decorator_func`, be around another function.

    The target itself is given back where nothing lies around it.
    """
    outermost: Any = None
    around: Any = None
    current = decorator_func
    while current is not previous_target and isinstance(found := _around(current), TFDecorator):
        outermost = current if outermost is None else outermost
        around, current = current, found.decorated_target
    if around is None:
        return new_target
    told = around._tf_decorator
    around._tf_decorator = told._replace(decorated_target=new_target)
    around.__wrapped__ = new_target
    return outermost


def _around(function: Any) -> TFDecorator | None:
    found = getattr(function, "_tf_decorator", None)
    if isinstance(found, TFDecorator):
        return found
    inner = getattr(function, "python_function", None)  # of a `tf.function`
    if inner is not None:
        return TFDecorator("tf.function", inner)
    inner = getattr(function, "__wrapped__", None)
    return TFDecorator("tensormill", inner) if inner is not None and is_ours(function) else None


def is_ours(function: Any) -> bool:
    """Whether a function was written here; of a wrapper, not what it wraps."""
    where = getattr(function, "__globals__", {}).get("__name__", "")
    return where.partition(".")[0] == __name__.partition(".")[0]
