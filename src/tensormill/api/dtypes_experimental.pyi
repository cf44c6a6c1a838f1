# Written by `make stubs` from the table beside it.

"""`tf.dtypes.experimental`: numbers of eight bits or fewer."""

from ..core.dtypes import float4_e2m1fn as float4_e2m1fn
from ..core.dtypes import float8_e4m3b11fnuz as float8_e4m3b11fnuz
from ..core.dtypes import float8_e4m3fn as float8_e4m3fn
from ..core.dtypes import float8_e4m3fnuz as float8_e4m3fnuz
from ..core.dtypes import float8_e5m2 as float8_e5m2
from ..core.dtypes import float8_e5m2fnuz as float8_e5m2fnuz
from ..core.dtypes import int2 as int2
from ..core.dtypes import int4 as int4
from ..core.dtypes import uint2 as uint2
from ..core.dtypes import uint4 as uint4

__all__ = ['float4_e2m1fn', 'float8_e4m3b11fnuz', 'float8_e4m3fn', 'float8_e4m3fnuz', 'float8_e5m2', 'float8_e5m2fnuz', 'int2', 'int4', 'uint2', 'uint4']
