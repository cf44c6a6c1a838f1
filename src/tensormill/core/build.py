"""`tf.sysconfig` and the loading of other people's kernels: how the library was built."""

from __future__ import annotations

import errno
from collections import OrderedDict
from pathlib import Path
from typing import Any, Final

from ..errors import NotFoundError, UnimplementedError

CXX11_ABI_FLAG: Final = 1
CXX_VERSION: Final = 201703
MONOLITHIC_BUILD: Final = 0

_HERE: Final = Path(__file__).parents[1]
WHY_NOT: Final = (
    "kernels in C++ are made for TensorFlow's runtime, which is not here; write the operation in "
    "Python under tf.function, or call it by tf.numpy_function"
)


def get_build_info() -> OrderedDict[str, Any]:
    """What the library was built for: for none of the accelerators that scripts ask for.

    >>> tf.sysconfig.get_build_info()["is_cuda_build"]
    False
    """
    kinds = ("is_cuda_build", "is_rocm_build", "is_tensorrt_build")
    return OrderedDict((kind, False) for kind in kinds)


def register_filesystem_plugin(plugin_location: str) -> Any:
    """Refused: such a plugin serves TensorFlow's own file system.

    plugin_location: a file.

    >>> try:
    ...     tf.experimental.register_filesystem_plugin("plugin.so")
    ... except FileNotFoundError:
    ...     print("missing")
    missing

    Raises:
        FileNotFoundError: there is no such file.
        UnimplementedError: there is.
    """
    if not (plugin_location and Path(plugin_location).exists()):
        raise FileNotFoundError(
            errno.ENOENT, "The file of a file system does not exist.", str(plugin_location)
        )
    raise UnimplementedError(
        f"register_filesystem_plugin({plugin_location!r}): plugins are made for TensorFlow's file "
        "system, which is not here; mount what they reach, and use paths"
    )


def get_lib() -> str:
    """The folder of the library.

    >>> import os
    >>> os.path.isdir(tf.sysconfig.get_lib())
    True
    """
    return str(_HERE)


def get_include() -> str:
    """Where headers would be: there are none, as nothing here is to be linked with.

    >>> tf.sysconfig.get_include().endswith("include")
    True
    """
    return str(_HERE / "include")


def get_compile_flags() -> list[str]:
    """What a compiler would be told to find the headers.

    >>> tf.sysconfig.get_compile_flags()[-1]
    '--std=c++17'
    """
    return [f"-I{get_include()}", f"-D_GLIBCXX_USE_CXX11_ABI={CXX11_ABI_FLAG}", "--std=c++17"]


def get_link_flags() -> list[str]:
    """What a linker would be told to find the library.

    >>> len(tf.sysconfig.get_link_flags())
    1
    """
    return [f"-L{get_lib()}"]


def load_op_library(library_filename: Any) -> Any:
    """Refuse a library of operations in C++: there is no runtime that it could run in.

    >>> tf.load_op_library("my_ops.so")
    Traceback (most recent call last):
    tensormill.errors.NotFoundError: my_ops.so: there is no such file

    Raises:
        NotFoundError: there is no such file.
        UnimplementedError: there is.
    """
    path = Path(library_filename)
    if not path.exists():
        raise NotFoundError(f"{path}: there is no such file")
    raise UnimplementedError(f"{path}: {WHY_NOT}")


def load_library(library_location: Any) -> None:
    """Refuse libraries of kernels in C++; a folder without any is passed over.

    >>> tf.load_library(".")

    Raises:
        FileNotFoundError: there is no such file or folder.
        UnimplementedError: there are libraries.
    """
    path = Path(library_location)
    if not path.exists():
        raise FileNotFoundError(
            errno.ENOENT,
            "The file or folder to load kernel libraries from does not exist.",
            str(path),
        )
    if path.is_file() or any(path.glob("*.so")):
        raise UnimplementedError(f"{path}: {WHY_NOT}")
