"""Which functions are converted: all but those of modules that know how to stage themselves.

The standard library is left alone too: converting it takes time and brings nothing.
"""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import Any

from ...core.source import is_of_python

# Third-party packages by their first name; everything else is taken to be the user's.
EXEMPT_PACKAGES = frozenset(
    "tensormill tensorflow tensorboard keras numpy scipy pandas matplotlib PIL sklearn skimage "
    "h5py ml_dtypes optree google absl jax jaxlib torch numba llvmlite tqdm rich typer click "
    "pytest _pytest pluggy hypothesis IPython ipykernel psutil plotly cloudpickle dill wandb "
    "six packaging yaml tf_keras tensorflow_probability".split()
)

# What is never converted, even where somebody asks for it.
OWN_PACKAGES = frozenset({"tensormill", "tensorflow"})

_SUSPENDING = (
    inspect.CO_GENERATOR
    | inspect.CO_COROUTINE
    | inspect.CO_ASYNC_GENERATOR
    | inspect.CO_ITERABLE_COROUTINE
)


def is_exempt(function: FunctionType, asked: bool = False) -> bool:
    """Whether a function runs as it is: by where it was written, or as a generator.

    A library's function that somebody asked to convert, by `tf.function` above all, does not.
    """
    # Not `__module__`: a decorator may have copied the one of the function it wraps.
    module: Any = function.__globals__.get("__name__")
    package = module.partition(".")[0] if isinstance(module, str) else ""
    if package in (OWN_PACKAGES if asked else EXEMPT_PACKAGES):
        return True
    # By its place: a user's module may well be called `trace` or `queue`.
    code = function.__code__
    return bool(code.co_flags & _SUSPENDING) or is_of_python(code.co_filename)


def takes_functions(function: FunctionType) -> bool:
    """Whether a function is of this library and calls the functions it is given: `tf.map_fn`."""
    inner: Any = getattr(function, "__wrapped__", function)  # below `shallow`
    module: Any = getattr(inner, "__globals__", {}).get("__name__")
    return isinstance(module, str) and module.startswith("tensormill.control.")


def is_users(value: Any) -> bool:
    """Whether it is an object of a class of the user's, with attributes."""
    kind = type(value)
    if isinstance(value, type):
        return False
    # The classes say it: an object may answer by code of its own, and fail.
    if not any("__dict__" in vars(one) or "__slots__" in vars(one) for one in kind.__mro__):
        return False
    return not is_of_library(kind.__module__)


def is_of_library(module: Any) -> bool:
    """Whether a module of this name is one whose objects keep their own books."""
    return isinstance(module, str) and module.partition(".")[0] in _LIBRARIES


_LIBRARIES = (
    EXEMPT_PACKAGES | {"builtins", "functools", "types", "collections", "abc", "typing", "enum"}
) - {"pytest"}
