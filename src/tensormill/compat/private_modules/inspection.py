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

from .decorators import is_ours, unwrap

_inspect = inspect

__all__ = [
    "FullArgSpec", "Parameter", "Signature", "_inspect", "currentframe", "getcallargs", "getdoc",
    "getfile", "getframeinfo", "getfullargspec", "getmembers", "getmodule", "getmro", "getsource",
    "getsourcefile", "getsourcelines", "isbuiltin", "isclass", "isframe", "isfunction",
    "isgenerator", "isgeneratorfunction", "ismethod", "ismodule", "isroutine", "signature", "stack",
]  # fmt: skip


def getfullargspec(obj: Any) -> FullArgSpec:
    """`inspect.getfullargspec` of what decorators that say so are around."""
    decorators, target = unwrap(obj)
    told = [one.decorator_argspec for one in decorators if one.decorator_argspec is not None]
    spec = told[0] if told else inspect.getfullargspec(target)
    # TensorFlow's functions have no annotations, and clients compare theirs with them.
    return spec._replace(annotations={}) if is_ours(target) else spec
