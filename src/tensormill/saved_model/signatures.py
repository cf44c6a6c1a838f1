"""Signatures: functions of named tensors that return named tensors, for those who serve models."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from inspect import Parameter, Signature
from typing import Any, Final, cast

from ..core.process.logs import logger
from ..core.specs import TensorSpec
from ..core.tree import Composite
from ..core.values import TensorLike
from ..function.concrete import ConcreteFunction
from ..function.decorator import function as traced
from ..function.function import Function
from ..function.signature.keyword_order import keywords_of, places_of
from .options import (
    DEFAULT_SERVING_SIGNATURE_DEF_KEY,
    DEFAULT_SIGNATURE_ATTRIBUTE,
    INIT_SIGNATURE,
)

_NAME: Final = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*\Z")  # of an operation
_NO_LETTER: Final = re.compile(r"[^A-Za-z0-9_]")
NOT_A_SIGNATURE = (
    "Concrete functions, and tf.functions with an input signature, can be used as a signature: "
    "get_concrete_function(...) makes one of any other."
)


def signatures_of(children: Mapping[str, Any], given: Any) -> dict[str, ConcreteFunction]:
    """The signatures to save, each wrapped to take and return tensors by name.

    children: those of the object that is saved, in which one is found where none is given.

    Raises:
        ValueError: one is no traced function, or returns something that has no name; a name is no
            string.
    """
    if given is None:
        found = default_signature(children)
        named: Mapping[str, Any] = (
            {} if found is None else {DEFAULT_SERVING_SIGNATURE_DEF_KEY: found}
        )
    elif isinstance(given, Mapping):
        named = cast(Mapping[str, Any], given)
    else:
        named = {DEFAULT_SERVING_SIGNATURE_DEF_KEY: given}
    for key in named:
        if not isinstance(key, str):
            raise ValueError(f"a signature's name is a string, not {key!r}")
    return {key: _wrapped(key, _concrete(key, one)) for key, one in named.items()}


def default_signature(children: Mapping[str, Any]) -> Any:
    """The function to serve where none was named: the one that is declared, or the only one."""
    declared = children.get(DEFAULT_SIGNATURE_ATTRIBUTE)
    if isinstance(declared, (Function, ConcreteFunction)):
        return declared
    candidates = [
        child
        for child in children.values()
        if isinstance(child, ConcreteFunction)
        or (isinstance(child, Function) and child.input_signature is not None)
    ]
    usable = [one for one in candidates if _returns_named_tensors(one)]
    if len(usable) > 1:
        logger.info(
            "no signature is saved: several functions could be served; name one with `signatures=`"
        )
    return usable[0] if len(usable) == 1 else None


def _returns_named_tensors(function: Any) -> bool:
    concrete = function if isinstance(function, ConcreteFunction) else _of_signature(function)
    try:
        _named_outputs(concrete.graph.structured_outputs, "")
    except ValueError:
        return False
    return all(isinstance(spec, TensorSpec) for spec in _specs(concrete))


def _of_signature(function: Function) -> ConcreteFunction:
    return function.get_concrete_function()


def _concrete(key: str, function: Any) -> ConcreteFunction:
    if key == INIT_SIGNATURE:
        raise ValueError(f"the name {INIT_SIGNATURE!r} is that of the signature which initialises")
    if isinstance(function, ConcreteFunction):
        return function
    if isinstance(function, Function) and function.input_signature is not None:
        return _of_signature(function)
    raise ValueError(f"'{key}' cannot be made of {function!r}. {NOT_A_SIGNATURE}")


def _specs(concrete: ConcreteFunction) -> list[Any]:
    return [tensor._known.spec for tensor in concrete.graph.parameters]


def _wrapped(key: str, concrete: ConcreteFunction) -> ConcreteFunction:
    """A trace that takes keyword tensors, calls `concrete`, and returns a dict."""
    keywords = _input_names(key, concrete)
    by_place = dict(zip(keywords_of(concrete), keywords, strict=True))
    outputs = concrete.graph.structured_outputs
    _named_outputs(outputs, concrete.graph.name)

    def wrapper(**tensors: Any) -> Any:
        placed = [tensors[identifier(by_place[name])] for name in keywords_of(concrete)]
        return _named_outputs(concrete.call_with(_own_order(concrete, placed)), "")

    wrapper.__name__ = f"signature_wrapper_{concrete.graph.name}"
    named = [Parameter(name, Parameter.KEYWORD_ONLY) for name in map(identifier, keywords)]
    wrapper.__signature__ = Signature(named)  # pyrefly: ignore[missing-attribute] (`inspect` reads it)
    specs = {
        identifier(name): TensorSpec(tensor.shape, tensor.dtype, name)
        for name, tensor in zip(keywords, _placed(concrete), strict=True)
    }
    return traced(wrapper, autograph=False).get_concrete_function(**specs)


def _placed(concrete: ConcreteFunction) -> list[Any]:
    """The parameters' placeholders in the order of their keywords."""
    return [concrete.graph.parameters[place] for place in places_of(concrete)]


def _own_order(concrete: ConcreteFunction, placed: Sequence[Any]) -> list[Any]:
    found: list[Any] = [None] * len(placed)
    for tensor, place in zip(placed, places_of(concrete), strict=True):
        found[place] = tensor
    return found


def _input_names(key: str, concrete: ConcreteFunction) -> list[str]:
    """The names of the signature's inputs.

    Raises:
        ValueError: a name that no operation may have, or names that differ in signs alone, or an
            input is no tensor.
    """
    for tensor in concrete.graph.parameters:
        if not isinstance(tensor._known.spec, TensorSpec):
            raise ValueError(
                f"the signature '{key}' takes {tensor._known.spec.short} for '{tensor.op.name}': "
                "signatures take tensors only"
            )
    keywords = keywords_of(concrete)
    if wrong := [name for name in keywords if not _NAME.match(name)]:
        raise ValueError(
            f"the signature '{key}' has inputs called {wrong}: names are of letters, digits and "
            "_ . / -"
        )
    if len({*map(identifier, keywords)}) < len(keywords):
        raise ValueError(
            f"the signature '{key}' has inputs that differ in signs alone: {keywords}; as names of "
            "arguments they are one"
        )
    return keywords


def identifier(name: str) -> str:
    """An input's name as that of an argument."""
    plain = _NO_LETTER.sub("_", name)
    return plain if plain[:1].isalpha() else f"arg_{plain}"


def _named_outputs(outputs: Any, function: str) -> dict[str, Any]:
    """Outputs by name; those of a sequence are called `output_0`, `output_1`….

    Raises:
        ValueError: an output is no tensor, or a key no string.
    """
    if isinstance(outputs, Mapping):
        named = dict(cast(Mapping[Any, Any], outputs))
    elif isinstance(outputs, (list, tuple)):
        named = {f"output_{k}": one for k, one in enumerate(cast(Sequence[Any], outputs))}
    else:
        named = {"output_0": outputs}
    for key, value in named.items():
        if not isinstance(key, str):
            raise ValueError(
                f"The signature {function} returns a dictionary with the non-string key {key!r}"
            )
        if not isinstance(value, (TensorLike, Composite)):
            raise ValueError(
                f"Got a non-Tensor value {value!r} for key '{key}' from {function}: a signature "
                "returns a tensor, several in a list or tuple, or a dict of named ones"
            )
    return named
