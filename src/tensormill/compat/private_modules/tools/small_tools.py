"""Small tools of TensorFlow's private modules: texts in files, modules at first use, arguments."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import Any, Final

from ....core.files.gfile import GFile

# `tensorflow.python.platform.build_info`: what programs ask before they look for GPUs.
build_info: Final = MappingProxyType(
    {"is_cuda_build": False, "is_rocm_build": False, "is_tensorrt_build": False}
)


def read_file_to_string(filename: Any, binary_mode: bool = False) -> Any:
    """The whole of a file, as a text or as bytes.

    Raises:
        NotFoundError: there is no such file.
    """
    with GFile(filename, "rb" if binary_mode else "r") as file:
        return file.read()


def write_string_to_file(filename: Any, file_content: Any) -> None:
    """Write a text or bytes to a file, in place of what it held.

    Raises:
        NotFoundError: there is no such folder.
    """
    with GFile(filename, "w") as file:
        file.write(file_content)


class LazyLoader(ModuleType):
    """A module that is imported when something of it is first asked for."""

    def __init__(
        self, local_name: str, parent_module_globals: dict[str, Any], name: str, warning: Any = None
    ) -> None:
        super().__init__(name)
        self._local_name = local_name
        self._parent_module_globals = parent_module_globals

    def _load(self) -> ModuleType:
        module = import_module(self.__name__)
        self._parent_module_globals[self._local_name] = module
        return module

    def __getattr__(self, item: str) -> Any:
        return getattr(self._load(), item)

    def __dir__(self) -> list[str]:
        return dir(self._load())


def fn_args(fn: Callable[..., Any]) -> tuple[str, ...]:
    """The names of the arguments that a callable takes, without `self`."""
    lists = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD
    found = inspect.signature(fn).parameters.items()
    return tuple(name for name, one in found if one.kind not in lists)


def has_kwargs(fn: Callable[..., Any]) -> bool:
    """Whether a callable takes any keyword.

    Raises:
        TypeError: it is no callable.
    """
    found = inspect.signature(fn).parameters.values()
    return any(one.kind is inspect.Parameter.VAR_KEYWORD for one in found)


def get_func_name(func: Callable[..., Any]) -> str:
    """The name of a callable.

    Raises:
        ValueError: it is none.
    """
    if not callable(func):
        raise ValueError("Argument `func` must be a callable")
    while isinstance(func, functools.partial):
        func = func.func
    return getattr(func, "__name__", type(func).__name__)


def keyword_args_only(func: Callable[..., Any]) -> Callable[..., Any]:
    """A function that refuses arguments without their names.

    Raises:
        ValueError: (when it is called) one is given by position.
    """

    @functools.wraps(func)
    def call(*args: Any, **kwargs: Any) -> Any:
        if args:
            raise ValueError(f"{func.__name__} only takes keyword args, got {len(args)} others")
        return func(**kwargs)

    return call
