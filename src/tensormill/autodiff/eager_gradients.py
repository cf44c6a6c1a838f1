"""Functions that give derivatives of functions: those of `tensorflow.python.eager.backprop`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from ..core import tree
from ..eager.convert import convert_to_tensor
from .tape import GradientTape

Function = Callable[..., Any]


def make_vjp(
    f: Function, params: Sequence[int | str] | None = None, persistent: bool = True
) -> Any:
    """A function of the arguments of `f` that gives its result, and what pulls gradients back.

    params: places or names of those arguments whose gradients are wanted; all without.

    >>> value, pull = make_vjp(lambda x: x * x)(3.0)
    >>> float(value), [float(one) for one in pull(1.0)]
    (9.0, [6.0])

    Raises:
        ValueError: `f` has no such argument.
    """
    places = _places(f, params)

    @wraps(f)
    def call(*args: Any, **kwargs: Any) -> tuple[Any, Any]:
        arguments = [convert_to_tensor(one) for one in args]
        wanted = arguments if places is None else [arguments[place] for place in places]
        with GradientTape(persistent=persistent) as tape:
            for one in wanted:
                tape.watch(one)
            result = f(*arguments, **kwargs)

        def pull(dy: Any = None) -> list[Any]:
            seeds = None if dy is None else tree.map_structure(convert_to_tensor, dy)
            return tape.gradient(result, wanted, output_gradients=seeds)

        return result, pull

    return call


def val_and_grad_function(f: Function, params: Sequence[int | str] | None = None) -> Any:
    """A function of the arguments of `f` that gives its result and its gradients by them.

    >>> value, slopes = val_and_grad_function(lambda x, y: x * y)(2.0, 3.0)
    >>> float(value), [float(one) for one in slopes]
    (6.0, [3.0, 2.0])
    """
    pulled = make_vjp(f, params, persistent=False)

    @wraps(f)
    def call(*args: Any, dy: Any = None, **kwargs: Any) -> tuple[Any, list[Any]]:
        result, pull = pulled(*args, **kwargs)
        return result, pull(dy)

    return call


def gradients_function(f: Function, params: Sequence[int | str] | None = None) -> Any:
    """A function of the arguments of `f` that gives its gradients by them.

    >>> [float(one) for one in gradients_function(lambda x, y: x * y)(2.0, 3.0)]
    [3.0, 2.0]
    """
    both = val_and_grad_function(f, params)

    @wraps(f)
    def call(*args: Any, **kwargs: Any) -> list[Any]:
        return both(*args, **kwargs)[1]

    return call


def implicit_val_and_grad(f: Function) -> Any:
    """A function that gives the result of `f`, and pairs of gradients and variables that it reads.

    >>> v = tf.Variable(2.0)
    >>> value, pairs = implicit_val_and_grad(lambda x: x * v)(3.0)
    >>> float(value), [(float(slope), variable is v) for slope, variable in pairs]
    (6.0, [(3.0, True)])

    Raises:
        ValueError: (when it is called) there is no result, or no variable is read.
    """

    @wraps(f)
    def call(*args: Any, **kwargs: Any) -> tuple[Any, list[tuple[Any, Any]]]:
        with GradientTape() as tape:
            result = f(*args, **kwargs)
        variables = list(tape.watched_variables())
        if result is None:
            raise ValueError(f"Cannot differentiate a function that returns None: {f}")
        if not variables:
            raise ValueError(
                "No trainable variables were accessed while the function was being computed."
            )
        return result, list(zip(tape.gradient(result, variables), variables, strict=True))

    return call


def implicit_grad(f: Function) -> Any:
    """A function that gives pairs of gradients and variables that `f` reads.

    Raises:
        ValueError: (when it is called) there is no result, or no variable is read.
    """
    both = implicit_val_and_grad(f)

    @wraps(f)
    def call(*args: Any, **kwargs: Any) -> list[tuple[Any, Any]]:
        return both(*args, **kwargs)[1]

    return call


def _places(f: Function, params: Sequence[int | str] | None) -> list[int] | None:
    if params is None:
        return None
    names = list(inspect.signature(f).parameters)
    for one in params:
        if isinstance(one, str) and one not in names:
            raise ValueError(f"{f} has no argument {one!r}; it has {names}")
    return [names.index(one) if isinstance(one, str) else one for one in params]
