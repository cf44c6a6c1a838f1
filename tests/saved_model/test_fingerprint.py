"""Fingerprints of SavedModels, and the options of saving and loading."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tensormill as tf
from tensormill.graph.proto.messages import message

from . import record

experimental: Any = tf.saved_model.experimental


def test_models_that_differ_in_values_differ_in_the_hash_of_the_checkpoint(tmp_path: Path) -> None:
    module = tf.Module()
    module.f = tf.function(lambda x: x + 1.0, input_signature=[tf.TensorSpec([None])])
    module.v = tf.Variable(1.0)
    found: list[Any] = []
    for name, value in (("a", 1.0), ("b", 1.0), ("c", 2.0)):
        module.v.assign(value)
        tf.saved_model.save(module, tmp_path / name, signatures={})
        found.append(experimental.read_fingerprint(tmp_path / name))
    one, same, other = found

    assert one == same
    assert one.graph_def_program_hash == other.graph_def_program_hash
    assert one.checkpoint_hash != other.checkpoint_hash
    assert one != other


def test_a_fingerprint_of_tensorflow_is_read(tmp_path: Path) -> None:
    directory, _ = record.unpacked("tables", tmp_path)
    proto = message("FingerprintDef").FromString((Path(directory) / "fingerprint.pb").read_bytes())
    found = experimental.read_fingerprint(directory)

    assert proto.saved_model_checksum == found.saved_model_checksum
    assert (
        f"{proto.graph_def_program_hash}/{proto.signature_def_hash}/"
        f"{proto.saved_object_graph_hash}/{proto.checkpoint_hash}"
    ) == found.singleprint()
    assert 4 == found.version.producer


def test_the_hash_of_the_checkpoint_is_tensorflows(tmp_path: Path) -> None:
    from tensormill.ops.strings.hashes import fingerprint

    directory, _ = record.unpacked("tables", tmp_path)
    index = (Path(directory) / "variables/variables.index").read_bytes()

    assert fingerprint(index) == experimental.read_fingerprint(directory).checkpoint_hash


def test_a_fingerprint_is_told_by_its_numbers() -> None:
    made = experimental.Fingerprint(1, 2, 3, 4, 5)

    assert "2/3/4/5" == made.singleprint()
    assert "Fingerprint(1, 2, 3, 4, 5)" == repr(made)
    assert str(made).startswith("SavedModel Fingerprint\n  saved_model_checksum: 1\n")
    assert made != experimental.Fingerprint(1, 2, 3, 4, 6)
    with pytest.raises(ValueError, match="no numbers"):
        experimental.Fingerprint().singleprint()
    with pytest.raises(TypeError, match="unhashable"):
        hash(made)


def test_directories_without_fingerprint_say_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="Could not find fingerprint"):
        experimental.read_fingerprint(tmp_path)
    (tmp_path / "fingerprint.pb").write_bytes(b"\xff")
    with pytest.raises(RuntimeError, match=r"fingerprint.pb"):
        experimental.read_fingerprint(tmp_path)


def test_options_say_what_they_are() -> None:
    policy = experimental.VariablePolicy

    assert policy.NONE is tf.saved_model.LoadOptions().experimental_variable_policy
    for given in ("Save_Variable_Devices", policy.SAVE_VARIABLE_DEVICES):
        options = tf.saved_model.SaveOptions(experimental_variable_policy=given)
        assert policy.SAVE_VARIABLE_DEVICES is options.experimental_variable_policy
    with pytest.raises(ValueError, match="invalid experimental_variable_policy 'all'"):
        tf.saved_model.LoadOptions(experimental_variable_policy="all")
    for kind in (tf.saved_model.SaveOptions, tf.saved_model.LoadOptions):
        assert {*kind.__slots__} == {name for name in dir(kind) if not name.startswith("_")}
