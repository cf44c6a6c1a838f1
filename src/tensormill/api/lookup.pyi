# Written by `make stubs` from the table beside it.

"""`tf.lookup`: values by key."""

from ..module.lookup_tables import KeyValueTensorInitializer as KeyValueTensorInitializer
from ..module.lookup_tables import StaticHashTable as StaticHashTable
from ..module.lookup_tables import StaticVocabularyTable as StaticVocabularyTable
from ..module.lookup_tables import TextFileIndex as TextFileIndex
from ..module.lookup_tables import TextFileInitializer as TextFileInitializer
from . import lookup_experimental as experimental

__all__ = ['KeyValueTensorInitializer', 'StaticHashTable', 'StaticVocabularyTable', 'TextFileIndex', 'TextFileInitializer', 'experimental']
