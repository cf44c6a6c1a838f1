# Written by `make stubs` from the table beside it.

"""`tf.quantization.experimental`: how models are to be quantized, and on which samples."""

from ..data.records.representative_samples import QuantizationComponentSpec as QuantizationComponentSpec
from ..data.records.representative_samples import QuantizationMethod as QuantizationMethod
from ..data.records.representative_samples import QuantizationOptions as QuantizationOptions
from ..data.records.representative_samples import TfRecordRepresentativeDatasetSaver as TfRecordRepresentativeDatasetSaver
from ..data.records.representative_samples import UnitWiseQuantizationSpec as UnitWiseQuantizationSpec

__all__ = ['QuantizationComponentSpec', 'QuantizationMethod', 'QuantizationOptions', 'TfRecordRepresentativeDatasetSaver', 'UnitWiseQuantizationSpec']
