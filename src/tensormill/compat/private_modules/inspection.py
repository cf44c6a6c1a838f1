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
    getfullargspec,
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

_inspect = inspect

__all__ = [
    "FullArgSpec", "Parameter", "Signature", "_inspect", "currentframe", "getcallargs", "getdoc",
    "getfile", "getframeinfo", "getfullargspec", "getmembers", "getmodule", "getmro", "getsource",
    "getsourcefile", "getsourcelines", "isbuiltin", "isclass", "isframe", "isfunction",
    "isgenerator", "isgeneratorfunction", "ismethod", "ismodule", "isroutine", "signature", "stack",
]  # fmt: skip
