# Written by `make stubs` from the table beside it.

"""`tf.nest`: nested structures."""

from ..core.tree import assert_same_structure as assert_same_structure
from ..core.tree import flatten as flatten
from ..core.tree import is_nested as is_nested
from ..core.tree import map_structure as map_structure
from ..core.tree import pack_sequence_as as pack_sequence_as

__all__ = ['assert_same_structure', 'flatten', 'is_nested', 'map_structure', 'pack_sequence_as']
