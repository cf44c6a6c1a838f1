"""AutoGraph: Python control flow that depends on tensors, as part of a graph.

`parse` finds a function's source and makes its tree; `analysis` reads it; `convert` rewrites it,
one file per Python construct; `conversion` compiles the result, once per function; `runtime` is
what the result calls, and the only part that knows tensors; `user_errors` tells exceptions in the
user's lines; `api` is the face.
"""

from __future__ import annotations

from .api import convert as convert
from .api import converted_call as converted_call
from .api import do_not_convert as do_not_convert
from .api import to_code as to_code
from .api import to_graph as to_graph
from .errors import AutoGraphError as AutoGraphError
from .errors import ConversionError as ConversionError
from .verbosity import set_verbosity as set_verbosity
from .verbosity import trace as trace
