# Written by `make stubs` from the table beside it.

"""`tf.lookup.experimental`: tables that change."""

from ..module.lookup_tables import DenseHashTable as DenseHashTable
from ..module.lookup_tables import MutableHashTable as MutableHashTable

__all__ = ['DenseHashTable', 'MutableHashTable']
