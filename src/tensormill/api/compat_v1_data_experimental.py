"""`tf.compat.v1.data.experimental`: more of datasets, and the older names of specs."""

from __future__ import annotations

from . import data_experimental
from .lazy import joined, namespace

TABLE = joined(
    data_experimental,
    {
        "core.type_spec": "Structure=TypeSpec",
        "data.by_hand.datasets": (
            "Counter=CounterV1 CsvDataset=CsvDatasetV1 RandomDataset=RandomDatasetV1 "
            "SqlDataset=SqlDatasetV1 choose_from_datasets=choose_from_datasets_v1 "
            "make_batched_features_dataset=make_batched_features_dataset_v1 "
            "make_csv_dataset=make_csv_dataset_v1 sample_from_datasets=sample_from_datasets_v1"
        ),
        "data.by_hand.structures": (
            "RaggedTensorStructure=ragged_tensor_structure "
            "SparseTensorStructure=sparse_tensor_structure "
            "TensorArrayStructure=tensor_array_structure TensorStructure=tensor_structure "
            "map_and_batch_with_legacy_function"
        ),
        "data.dataset": "DatasetStructure=DatasetSpec",
        "data.optional": "OptionalStructure=OptionalSpec",
    },
)

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.data.experimental")
