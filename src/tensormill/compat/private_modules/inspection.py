"""`tensorflow.python.util.tf_inspect`: Python's `inspect`, which sees through decorators anyway."""

from __future__ import annotations

import inspect
from inspect import (
    FullArgSpec,
    Parameter,
    Signature,
    currentframe,
    getcallargs,
    getdoc,
    getfile,
    getframeinfo,
    getmembers,
    getmodule,
    getmro,
    getsource,
    getsourcefile,
    getsourcelines,
    isbuiltin,
    isclass,
    isframe,
    isfunction,
    isgenerator,
    isgeneratorfunction,
    ismethod,
    ismodule,
    isroutine,
    signature,
    stack,
)  # fmt: skip
from typing import Any

from ...core.process.named_tuples import NamedTuple
from .decorators import is_ours, unwrap

_inspect = inspect

__all__ = [
    "ArgSpec", "FullArgSpec", "Parameter", "Signature", "_inspect", "currentframe",
    "getargspec", "getcallargs", "getdoc", "getfile", "getframeinfo", "getfullargspec",
    "getmembers", "getmodule", "getmro", "getsource", "getsourcefile", "getsourcelines",
    "isbuiltin", "isclass", "isframe", "isfunction", "isgenerator", "isgeneratorfunction",
    "ismethod", "ismodule", "isroutine", "signature", "stack",
]  # fmt: skip


def getfullargspec(obj: Any) -> FullArgSpec:
    """`inspect.getfullargspec` of what decorators that say so are around."""
    decorators, target = unwrap(obj)
    told = [one.decorator_argspec for one in decorators if one.decorator_argspec is not None]
    spec = told[0] if told else inspect.getfullargspec(target)
    # TensorFlow's functions have no annotations, and clients compare theirs with them.
    return spec._replace(annotations={}) if is_ours(target) else spec


class ArgSpec(NamedTuple):
    """What a function takes, as Python 2 told it."""

    args: list[str]
    varargs: str | None
    keywords: str | None
    defaults: tuple[Any, ...] | None


def getargspec(obj: Any) -> ArgSpec:
    """What a function takes; parameters by keyword alone stand after the others."""
    full = getfullargspec(obj)
    last = full.kwonlydefaults or {}
    defaults = (*(full.defaults or ()), *(last[one] for one in full.kwonlyargs if one in last))
    return ArgSpec([*full.args, *full.kwonlyargs], full.varargs, full.varkw, defaults or None)
