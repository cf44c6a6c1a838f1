"""Imports every operation on datasets that GraphDefs may have."""

from __future__ import annotations

from .. import operations as operations
from ..by_hand import iterators as iterators
from ..by_hand import readers as readers
from . import files as files
from . import functions as functions
from . import groups as groups
from . import other_names as other_names
from . import passes as passes
from . import sources as sources
from . import transformations as transformations
