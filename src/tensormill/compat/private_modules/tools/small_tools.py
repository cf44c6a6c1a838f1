"""Small tools of TensorFlow's private modules: texts in files, modules at first use, arguments."""

from __future__ import annotations

import filecmp as file_comparison
import functools
import hashlib
import inspect
import re
import zlib
from collections.abc import Callable
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import Any, Final

from ....core.files.atomic import write_file
from ....core.files.gfile import GFile, exists, text
from ....errors import AlreadyExistsError

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


def gen_new_seed(seed: int | None, salt: str) -> int | None:
    """Another seed, drawn from a seed and a text by MD5; None stays None."""
    if seed is None:
        return None
    drawn = hashlib.md5(f"{seed}{salt}".encode(), usedforsecurity=False).hexdigest()
    return int(drawn[:8], 16) & 0x7FFFFFFF


def write_string_to_file(filename: Any, file_content: Any) -> None:
    """Write a text or bytes to a file, in place of what it held.

    Raises:
        NotFoundError: there is no such folder.
    """
    with GFile(filename, "w") as file:
        file.write(file_content)


def atomic_write_string_to_file(filename: Any, contents: Any, overwrite: bool = True) -> None:
    """Write a whole file, which others see either as it was or as it will be.

    Raises:
        AlreadyExistsError: there is one, and it is not to be overwritten.
    """
    if not overwrite and exists(filename):
        raise AlreadyExistsError(None, None, f"{text(filename)} exists; pass overwrite=True")
    write_file(text(filename), contents if isinstance(contents, bytes) else contents.encode())


def filecmp(filename_a: Any, filename_b: Any) -> bool:
    """Whether two files hold the same bytes."""
    return file_comparison.cmp(text(filename_a), text(filename_b), shallow=False)


def file_crc32(filename: Any, block_size: int = 1 << 24) -> str:
    """The CRC-32 of a file, as a hexadecimal number."""
    found = 0
    with GFile(filename, "rb") as file:
        while part := file.read(block_size):
            found = zlib.crc32(part, found)
    return hex(found)


def moves_at_once(path: Any) -> bool:
    """Whether files are renamed in one step where this one is: in all file systems here."""
    return "://" not in text(path)


def strip_name_scope(name: str, export_scope: str | None) -> str:
    """The name of an operation without the scope that it is exported from."""
    if not export_scope:
        return name
    scope = re.escape(export_scope.removesuffix("/"))
    return re.sub(rf"^(\^|loc:@|){scope}/", r"\1", name)


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
