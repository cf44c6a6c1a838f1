"""`tf.compat.v1.data`: datasets, and iterators of graphs."""

from __future__ import annotations

from . import data
from .lazy import joined, namespace

TABLE = joined(
    data,
    {
        "": "experimental=compat_v1_data_experimental",
        "data.by_hand.datasets": (
            "Dataset=DatasetV1 FixedLengthRecordDataset=FixedLengthRecordDatasetV1 "
            "TFRecordDataset=TFRecordDatasetV1 TextLineDataset=TextLineDatasetV1"
        ),
        "data.by_hand.element_facts": (
            "get_output_classes=output_classes get_output_shapes=output_shapes "
            "get_output_types=output_types"
        ),
        "data.by_hand.iterators": (
            "Iterator=GraphIterator make_initializable_iterator make_one_shot_iterator"
        ),
    },
)

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.data")
