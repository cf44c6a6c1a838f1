"""`tf.sysconfig`: how the library was built."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "core.build": (
        "CXX11_ABI_FLAG CXX_VERSION MONOLITHIC_BUILD get_build_info get_compile_flags get_include "
        "get_lib get_link_flags"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
