"""How models are to be quantized, as messages: TensorFlow 2.21 writes the same bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tensormill as tf

Q: Any = tf.quantization.experimental


def test_samples_are_written_as_tensorflow_writes_them(tmp_path: Path) -> None:
    file = str(tmp_path / "samples")
    saver = Q.TfRecordRepresentativeDatasetSaver({"f": file})

    said = saver.save({"f": [{"x": tf.constant([1.0, 2.0]), "y": 3}, {"x": "a"}]})

    assert file == said["f"].tfrecord_file_path
    assert [
        b'\x12\x17\n\x01x\x12\x12\x08\x01\x12\x04\x12\x02\x08\x02"\x08\x00\x00\x80?\x00\x00\x00@'
        b"\x12\x0c\n\x01y\x12\x07\x08\x03\x12\x00:\x01\x03",
        b"\x12\x0c\n\x01x\x12\x07\x08\x07\x12\x00B\x01a",
    ] == list(tf.data.TFRecordDataset(file).as_numpy_iterator())


def test_signatures_and_inputs_must_be_those_expected(tmp_path: Path) -> None:
    saver = Q.TfRecordRepresentativeDatasetSaver({"f": str(tmp_path / "f")}, {"f": {"x"}})

    with pytest.raises(ValueError, match="there are samples for"):
        saver.save({"g": []})
    with pytest.raises(KeyError, match="need the inputs"):
        saver.save({"f": [{"y": 1}]})
    with pytest.raises(KeyError, match="must have the same keys"):
        Q.TfRecordRepresentativeDatasetSaver({"f": "f"}, {"g": ["x"]})


def test_options_have_tensorflow_s_wire_format() -> None:
    method = Q.QuantizationMethod(preset_method=Q.QuantizationMethod.METHOD_STATIC_RANGE_INT8)
    options = Q.QuantizationOptions(
        quantization_method=method, op_set="TF", freeze_all_variables=False, tags=["serve"]
    )
    options.unit_wise_quantization_specs.add().unit.add(op_type="x")
    options.calibration_options.representative_datasets.add(signature_key="k").tf_record.path = "p"

    assert (
        b"\n\x02 \x02\x10\x01*\x05serveH\x00"
        b"z\n\x1a\x08\n\x03\n\x01p\x12\x01k\x8a\x01\x05*\x03\n\x01x"
    ) == options.SerializeToString()
    assert 2 == Q.QuantizationMethod.PresetMethod.Value("METHOD_STATIC_RANGE_INT8")
