"""`tf.compat.v1.data.experimental`: more of datasets, and the older names of specs."""

from __future__ import annotations

from . import data_experimental
from .lazy import joined, namespace

TABLE = joined(
    data_experimental,
    {
        "core.type_spec": "Structure=TypeSpec",
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
