"""`tf.experimental.dispatch_for_...`: what public functions mean for users' own types."""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping
from inspect import Parameter, Signature, signature
from typing import Any, Final, TypeVar

from ...core.process.named_tuples import NamedTuple
from .annotations import Fit, all_of, question
from .arguments import GivenArguments
from .meanings import OF_KIND, ElementKind, Meanings, meanings_of

Target = TypeVar("Target", bound=Callable[..., Any])
Matches = Callable[[GivenArguments], bool]


class Registered(NamedTuple):
    """A meaning of a user's: `result` of the arguments, where they match."""

    target: Callable[..., Any]
    matches: Matches
    result: Callable[[Meanings, GivenArguments], Any]


# Every list that a registered meaning is in, and what each elementwise handler was declared for.
LISTS: Final[list[tuple[Registered, list[Registered]]]] = []
HANDLERS: Final[dict[tuple[ElementKind, tuple[Any, ...]], Any]] = {}

UNARY, BINARY, ASSERTION = ElementKind(1), ElementKind(2), ElementKind(2, is_assertion=True)
ARBITRARY: Final = [Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD]


def dispatch_for_api(
    api: Callable[..., Any], *signatures: Mapping[str | int, Any]
) -> Callable[[Target], Target]:
    """Declare what a public function means for arguments of some types: the decorated function.

    signatures: each maps names of parameters, or their positions, to types: classes, `List[...]`,
    `Union[...]`. A call matches where all named arguments fit, and one of them by its class, which
    is that of an `ExtensionType` or another composite. Without any signature, the annotations of
    the decorated function are one. It has the parameters of `api` (`name` may be left out), and
    gets all of them by position. Where it returns NotImplemented, the call goes on as if it were
    not registered.

    >>> class Money(tf.experimental.ExtensionType):
    ...     cents: tf.Tensor
    >>> @tf.experimental.dispatch_for_api(tf.add, {"x": Money, "y": Money})
    ... def add_money(x, y, name=None):
    ...     return Money(tf.add(x.cents, y.cents, name))
    >>> tf.add(Money([150]), Money([275])).cents.numpy()
    array([425], dtype=int32)
    >>> tf.experimental.unregister_dispatch_for(add_money)

    Raises:
        ValueError: `api` cannot be given other meanings; a signature names a parameter that it does
            not have, or an annotation that is not supported; the decorated function has other
            parameters. When `api` is called: several registered functions match.
        TypeError: a signature is no mapping, or what is decorated cannot be called.
    """
    meanings = _meanings_of(api)
    for one in signatures:
        if not isinstance(one, Mapping):
            raise TypeError(f"signatures map names of parameters to type annotations, got {one!r}")

    def decorator(dispatch_target: Target) -> Target:
        if not callable(dispatch_target):
            raise TypeError(f"what is dispatched to must be callable, got {dispatch_target!r}")
        asked = signatures or (_annotations(dispatch_target),)
        matches = [_matching(meanings.parameters.signature, one) for one in asked]
        result = _calling(meanings, dispatch_target)
        registered = Registered(
            dispatch_target, lambda call: any(match(call) for match in matches), result
        )
        _register(registered, meanings.registered)
        return dispatch_target

    return decorator


def dispatch_for_unary_elementwise_apis(x_type: Any) -> Callable[[Target], Target]:
    """Declare what all functions of the elements of one tensor mean for a type.

    The decorated handler gets the function, of one argument (others that a call gives are filled
    in), and the argument.

    >>> class Money(tf.experimental.ExtensionType):
    ...     cents: tf.Tensor
    >>> @tf.experimental.dispatch_for_unary_elementwise_apis(Money)
    ... def of_money(api, x):
    ...     return Money(api(x.cents))
    >>> tf.abs(Money([-150])).cents.numpy(), tf.cast(Money([3]), tf.float32).cents.numpy()
    (array([150], dtype=int32), array([3.], dtype=float32))
    >>> tf.experimental.unregister_dispatch_for(of_money)

    Raises:
        ValueError: there is a handler for `x_type`, or this is no type annotation that is
            supported.
    """
    return _handling(UNARY, x_type)


def dispatch_for_binary_elementwise_apis(x_type: Any, y_type: Any) -> Callable[[Target], Target]:
    """Declare what all functions of the elements of two tensors mean for two types.

    The decorated handler gets the function, of two arguments (others that a call gives are filled
    in), and the arguments.

    >>> class Money(tf.experimental.ExtensionType):
    ...     cents: tf.Tensor
    >>> @tf.experimental.dispatch_for_binary_elementwise_apis(Money, Money)
    ... def of_money(api, x, y):
    ...     return Money(api(x.cents, y.cents))
    >>> tf.maximum(Money([150]), Money([275])).cents.numpy()
    array([275], dtype=int32)
    >>> tf.experimental.unregister_dispatch_for(of_money)

    Raises:
        ValueError: there is a handler for these types, or one is no type annotation that is
            supported.
    """
    return _handling(BINARY, x_type, y_type)


def dispatch_for_binary_elementwise_assert_apis(
    x_type: Any, y_type: Any
) -> Callable[[Target], Target]:
    """Declare what all assertions about the elements of two tensors mean for two types.

    The decorated handler gets the assertion, of two arguments (others that a call gives are filled
    in), and the arguments.

    >>> class Money(tf.experimental.ExtensionType):
    ...     cents: tf.Tensor
    >>> @tf.experimental.dispatch_for_binary_elementwise_assert_apis(Money, Money)
    ... def of_money(api, x, y):
    ...     return api(x.cents, y.cents)
    >>> tf.debugging.assert_less(Money([150]), Money([275]))
    >>> tf.experimental.unregister_dispatch_for(of_money)

    Raises:
        ValueError: there is a handler for these types, or one is no type annotation that is
            supported.
    """
    return _handling(ASSERTION, x_type, y_type)


def unregister_dispatch_for(dispatch_target: Callable[..., Any]) -> None:
    """Take back all that a function was registered for by one of the decorators.

    >>> class Money(tf.experimental.ExtensionType):
    ...     cents: tf.Tensor
    >>> @tf.experimental.dispatch_for_api(tf.negative, {"x": Money})
    ... def owed(x, name=None):
    ...     return Money(-x.cents)
    >>> tf.experimental.unregister_dispatch_for(owed)

    Raises:
        ValueError: it was not registered.
    """
    found = [place for place in LISTS if place[0].target is dispatch_target]
    if not found:
        raise ValueError(
            f"{dispatch_target!r} was not registered by one of tf.experimental.dispatch_for_..."
        )
    for registered, places in found:
        places[:] = [one for one in places if one is not registered]
    LISTS[:] = [place for place in LISTS if place[0].target is not dispatch_target]
    for key in [key for key, handler in HANDLERS.items() if handler is dispatch_target]:
        del HANDLERS[key]


def _meanings_of(api: Any) -> Meanings:
    meanings = meanings_of(api)
    if meanings is None:
        raise ValueError(f"{api!r} does not support dispatch: it has one meaning only")
    return meanings


def _register(registered: Registered, places: list[Registered]) -> None:
    LISTS.append((registered, places))
    places.append(registered)


def _handling(kind: ElementKind, *annotations: Any) -> Callable[[Target], Target]:
    questions = [question(one) for one in annotations]

    def matches(call: GivenArguments) -> bool:
        pairs = zip(questions, call.args, strict=False)
        return all_of(ask(operand) for ask, operand in pairs) is Fit.AS_COMPOSITE

    def decorator(handler: Target) -> Target:
        def result(meanings: Meanings, call: GivenArguments) -> Any:
            operands, function = meanings.of_operands(call)
            return handler(function, *operands)

        if (kind, annotations) in HANDLERS:
            other = HANDLERS[kind, annotations]
            raise ValueError(f"{other!r} has already been registered for {annotations}")
        HANDLERS[kind, annotations] = handler
        _register(Registered(handler, matches, result), OF_KIND.setdefault(kind, []))
        return handler

    return decorator


def _annotations(target: Callable[..., Any]) -> Mapping[str | int, Any]:
    """The annotations of the parameters of a function, which are one signature."""
    try:
        hints = typing.get_type_hints(target)
    except NameError:  # a name of another function: `question` says that it is only a text
        hints = dict(getattr(target, "__annotations__", {}))
    annotations: dict[str | int, Any] = {**hints}
    annotations.pop("return", None)
    if not annotations:
        raise ValueError(
            "dispatch_for_api needs a signature, or a function whose parameters have type "
            "annotations"
        )
    return annotations


def _matching(parameters: Signature, asked: Mapping[str | int, Any]) -> Matches:
    """Whether a call fits one signature."""
    names = list(parameters.parameters)
    questions: dict[str, Any] = {}
    for key, annotation in asked.items():
        is_there = key in names if isinstance(key, str) else -len(names) <= key < len(names)
        if not is_there:
            raise ValueError(f"a signature has an annotation for an unknown parameter: {key!r}")
        questions[key if isinstance(key, str) else names[key]] = question(annotation)

    def matches(call: GivenArguments) -> bool:
        fits = (ask(call.arguments[name]) for name, ask in questions.items())
        return all_of(fits) is Fit.AS_COMPOSITE

    return matches


def _calling(
    meanings: Meanings, target: Callable[..., Any]
) -> Callable[[Meanings, GivenArguments], Any]:
    """How a function that has the parameters of another is called with its arguments.

    Raises:
        ValueError: it has others.
    """
    mine, theirs = (_parameters(one) for one in (signature(target), meanings.parameters.signature))
    has_name = mine == theirs or [kind for _, kind in mine] == ARBITRARY
    if not has_name and mine != [one for one in theirs if one[0] != "name"]:
        api = meanings.function.__name__
        raise ValueError(
            f"the signature {signature(target)} of what is dispatched to does not match that of "
            f"{api}: {meanings.parameters.signature}"
        )

    def result(_: Meanings, call: GivenArguments) -> Any:
        if not has_name:
            return target(*[value for key, value in call.arguments.items() if key != "name"])
        return target(*call.args, **call.kwargs)

    return result


def _parameters(one: Signature) -> list[tuple[str, Any]]:
    return [(parameter.name, parameter.kind) for parameter in one.parameters.values()]
