"""`tf.quantization.experimental`: how a model is to be quantized, and samples of its inputs."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from typing import Any, Final

from ...graph.proto.messages import documented, message
from ...graph.proto.tensor_protos import make_tensor_proto
from ...ops.conversion import as_tensor
from .record_files import TFRecordWriter

QuantizationComponentSpec: Final[Any] = documented(
    "QuantizationComponentSpec",
    """Which numbers of a model get which type.

    >>> kind = tf.quantization.experimental.QuantizationComponentSpec
    >>> kind(tensor_type="TENSORTYPE_INT_8").tensor_type == kind.TENSORTYPE_INT_8
    True
    """,
)
QuantizationMethod: Final[Any] = documented(
    "QuantizationMethod",
    """A named way to quantize, or types for kinds of numbers.

    >>> method = tf.quantization.experimental.QuantizationMethod
    >>> method(preset_method=method.METHOD_STATIC_RANGE_INT8).preset_method
    2
    """,
)
UnitWiseQuantizationSpec: Final[Any] = documented(
    "UnitWiseQuantizationSpec",
    """A way to quantize for some operations alone.

    >>> spec = tf.quantization.experimental.UnitWiseQuantizationSpec()
    >>> spec.unit.add(op_type="MatMul").op_type
    'MatMul'
    """,
)
QuantizationOptions: Final[Any] = documented(
    "QuantizationOptions",
    """How a model is to be quantized, for programs that do it: nothing here does.

    >>> options = tf.quantization.experimental.QuantizationOptions(signature_keys=["serve"])
    >>> options.HasField("freeze_all_variables"), list(options.signature_keys)
    (False, ['serve'])
    """,
)


class TfRecordRepresentativeDatasetSaver:
    """Writes samples of a model's inputs into files of records, one for each signature.

    path_map: the file of each signature. expected_input_key_map: the names of its inputs, which all
    samples must then have.

    >>> saver = tf.quantization.experimental.TfRecordRepresentativeDatasetSaver(
    ...     path_map={"serve": "samples.tfrecord"}
    ... )
    >>> saver.save({"serve": [{"x": [1.0, 2.0]}]})["serve"].tfrecord_file_path
    'samples.tfrecord'

    Raises:
        KeyError: the two say other signatures.
    """

    def __init__(
        self,
        path_map: Mapping[str, str | os.PathLike[str]],
        expected_input_key_map: Mapping[str, Collection[str]] | None = None,
    ) -> None:
        if expected_input_key_map is not None and set(path_map) != set(expected_input_key_map):
            raise KeyError(
                "`path_map` and `expected_input_key_map` must have the same keys, not "
                f"{sorted(path_map)} and {sorted(expected_input_key_map)}"
            )
        self._paths = path_map
        self._inputs = expected_input_key_map or {}

    def save(self, representative_dataset: Mapping[str, Any]) -> dict[str, Any]:
        """Write the samples of each signature, dicts of arrays, and say in which files they are.

        Raises:
            ValueError: a signature has no file.
            KeyError: a sample has not the inputs that were expected.
        """
        unknown = [key for key in representative_dataset if key not in self._paths]
        if unknown:
            raise ValueError(
                f"there are samples for {unknown}, and `path_map` has {list(self._paths)} alone"
            )
        return {key: self._write(key, samples) for key, samples in representative_dataset.items()}

    def _write(self, key: str, samples: Any) -> Any:
        path = os.fspath(self._paths[key])
        with TFRecordWriter(path) as writer:
            for sample in samples:
                self._check(key, sample)
                writer.write(_serialized(sample))
        return message("RepresentativeDatasetFile")(tfrecord_file_path=path)

    def _check(self, key: str, sample: Mapping[str, Any]) -> None:
        if key in self._inputs and set(sample) != set(self._inputs[key]):
            raise KeyError(
                f"samples of '{key}' need the inputs {sorted(self._inputs[key])}, got "
                f"{sorted(sample)}"
            )


def _serialized(sample: Mapping[str, Any]) -> bytes:
    made = message("RepresentativeDataSample")()
    for name, value in sample.items():
        made.tensor_proto_inputs[name].CopyFrom(make_tensor_proto(as_tensor(value).numpy()))
    return made.SerializeToString(deterministic=True)
