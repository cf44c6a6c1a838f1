# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.data`: datasets, and iterators of graphs."""

from ..data.dataset import AUTOTUNE as AUTOTUNE
from ..data.by_hand.datasets import DatasetV1 as Dataset
from ..data.dataset import DatasetSpec as DatasetSpec
from ..data.by_hand.datasets import FixedLengthRecordDatasetV1 as FixedLengthRecordDataset
from ..data.nodes.node import INFINITE as INFINITE_CARDINALITY
from ..data.by_hand.iterators import GraphIterator as Iterator
from ..data.iterators import IteratorSpec as IteratorSpec
from ..data.iterators import NumpyIterator as NumpyIterator
from ..data.options import Options as Options
from ..data.by_hand.datasets import TFRecordDatasetV1 as TFRecordDataset
from ..data.by_hand.datasets import TextLineDatasetV1 as TextLineDataset
from ..data.options import ThreadingOptions as ThreadingOptions
from ..data.nodes.node import UNKNOWN as UNKNOWN_CARDINALITY
from . import compat_v1_data_experimental as experimental
from ..data.by_hand.element_facts import output_classes as get_output_classes
from ..data.by_hand.element_facts import output_shapes as get_output_shapes
from ..data.by_hand.element_facts import output_types as get_output_types
from ..data.by_hand.iterators import make_initializable_iterator as make_initializable_iterator
from ..data.by_hand.iterators import make_one_shot_iterator as make_one_shot_iterator

__all__ = ['AUTOTUNE', 'Dataset', 'DatasetSpec', 'FixedLengthRecordDataset', 'INFINITE_CARDINALITY', 'Iterator', 'IteratorSpec', 'NumpyIterator', 'Options', 'TFRecordDataset', 'TextLineDataset', 'ThreadingOptions', 'UNKNOWN_CARDINALITY', 'experimental', 'get_output_classes', 'get_output_shapes', 'get_output_types', 'make_initializable_iterator', 'make_one_shot_iterator']
