"""`tf.quantization.experimental`: how models are to be quantized, and on which samples."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "data.records.representative_samples": (
        "QuantizationComponentSpec QuantizationMethod QuantizationOptions "
        "TfRecordRepresentativeDatasetSaver UnitWiseQuantizationSpec"
    ),
}

GONE = {
    "quantize_saved_model": (
        ": SavedModels are not rewritten here; quantize the model by Keras (model.quantize)"
    ),
}

__getattr__, __dir__, __all__ = namespace(
    __name__, TABLE, public="tf.quantization.experimental", gone=GONE
)
