"""Imports every file of operations, so that REGISTRY is complete."""

from . import (
    arithmetic as arithmetic,
)
from . import (
    bitwise as bitwise,
)
from . import (
    broadcasting as broadcasting,
)
from . import (
    cast as cast,
)
from . import (
    comparison as comparison,
)
from . import (
    complex as complex,
)
from . import (
    concatenation as concatenation,
)
from . import (
    constant as constant,
)
from . import (
    elementwise as elementwise,
)
from . import (
    fill as fill,
)
from . import (
    flow as flow,
)
from . import (
    functional as functional,
)
from . import (
    gather as gather,
)
from . import (
    linalg as linalg,
)
from . import (
    list_contents as list_contents,
)
from . import (
    lists as lists,
)
from . import (
    manipulation as manipulation,
    printing as printing,
)
from . import (
    reduce as reduce,
)
from . import (
    resource_rows as resource_rows,
)
from . import (
    scan as scan,
)
from . import (
    scatter as scatter,
)
from . import (
    segment as segment,
)
from . import (
    select as select,
)
from . import (
    shapes as shapes,
)
from . import (
    slicing as slicing,
)
from . import (
    state as state,
)
from . import (
    state_slices as state_slices,
)
