# Written by `make stubs` from the table beside it.

"""`tf.sysconfig`: how the library was built."""

from ..core.build import CXX11_ABI_FLAG as CXX11_ABI_FLAG
from ..core.build import CXX_VERSION as CXX_VERSION
from ..core.build import MONOLITHIC_BUILD as MONOLITHIC_BUILD
from ..core.build import get_build_info as get_build_info
from ..core.build import get_compile_flags as get_compile_flags
from ..core.build import get_include as get_include
from ..core.build import get_lib as get_lib
from ..core.build import get_link_flags as get_link_flags

__all__ = ['CXX11_ABI_FLAG', 'CXX_VERSION', 'MONOLITHIC_BUILD', 'get_build_info', 'get_compile_flags', 'get_include', 'get_lib', 'get_link_flags']
