"""Imports every operation on datasets that GraphDefs may have."""

from __future__ import annotations

from .. import operations as operations
from ..by_hand import iterators as iterators
from . import files as files
from . import functions as functions
from . import groups as groups
from . import passes as passes
from . import sources as sources
from . import transformations as transformations
