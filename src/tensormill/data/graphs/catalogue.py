"""Imports every operation on datasets that GraphDefs may have."""

from __future__ import annotations

from ...control import batches as batches
from ...control import called_graphs as called_graphs
from ...function import batch_functions as batch_functions
from ...function import remote_calls as remote_calls
from .. import operations as operations
from ..by_hand import iterators as iterators
from ..by_hand import readers as readers
from . import branches as branches
from . import division as division
from . import examples as examples
from . import files as files
from . import functions as functions
from . import groups as groups
from . import handles as handles
from . import kept as kept
from . import orders as orders
from . import other_names as other_names
from . import passes as passes
from . import pieces as pieces
from . import sources as sources
from . import transformations as transformations
