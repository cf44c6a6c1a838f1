# Written by `make stubs` from the table beside it.

"""`tf.lookup`: values by key."""

from ..module.table_initializers import KeyValueTensorInitializer as KeyValueTensorInitializer
from ..module.lookup_tables import StaticHashTable as StaticHashTable
from ..module.lookup_tables import StaticVocabularyTable as StaticVocabularyTable
from ..module.table_initializers import TextFileIndex as TextFileIndex
from ..module.table_initializers import TextFileInitializer as TextFileInitializer
from . import lookup_experimental as experimental

__all__ = ['KeyValueTensorInitializer', 'StaticHashTable', 'StaticVocabularyTable', 'TextFileIndex', 'TextFileInitializer', 'experimental']
