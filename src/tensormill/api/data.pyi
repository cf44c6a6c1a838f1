# Written by `make stubs` from the table beside it.

"""`tf.data`."""

from ..data.dataset import AUTOTUNE as AUTOTUNE
from ..data.dataset import DatasetV2 as Dataset
from ..data.dataset import DatasetSpec as DatasetSpec
from ..data.files import FixedLengthRecordDataset as FixedLengthRecordDataset
from ..data.nodes.node import INFINITE as INFINITE_CARDINALITY
from ..data.iterators import IteratorBase as Iterator
from ..data.iterators import IteratorSpec as IteratorSpec
from ..data.iterators import NumpyIterator as NumpyIterator
from ..data.options import Options as Options
from ..data.files import TFRecordDataset as TFRecordDataset
from ..data.files import TextLineDataset as TextLineDataset
from ..data.options import ThreadingOptions as ThreadingOptions
from ..data.nodes.node import UNKNOWN as UNKNOWN_CARDINALITY
from . import data_experimental as experimental

__all__ = ['AUTOTUNE', 'Dataset', 'DatasetSpec', 'FixedLengthRecordDataset', 'INFINITE_CARDINALITY', 'Iterator', 'IteratorSpec', 'NumpyIterator', 'Options', 'TFRecordDataset', 'TextLineDataset', 'ThreadingOptions', 'UNKNOWN_CARDINALITY', 'experimental']
