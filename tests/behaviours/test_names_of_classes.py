"""What classes are called by `type(x).__name__`, which programs print."""

from __future__ import annotations

from typing import Any

import pytest

from tests.behaviours.library import behaviour, tf

V1: Any = tf.compat.v1
INITIALIZERS = {
    "zeros_initializer": "Zeros",
    "ones_initializer": "Ones",
    "constant_initializer": "Constant",
    "random_normal_initializer": "RandomNormal",
    "glorot_uniform_initializer": "GlorotUniform",
    "variance_scaling_initializer": "VarianceScaling",
}


@behaviour("T1")
@pytest.mark.parametrize("name", INITIALIZERS)
def test_initializers_of_the_first_version_are_called_as_those_of_the_second(name: str) -> None:
    assert type(getattr(V1, name)()).__name__ == INITIALIZERS[name]


@behaviour("T1")
def test_what_assigning_gives_is_an_unread_variable() -> None:
    variable = tf.Variable([1.0, 2.0])
    given = V1.scatter_update(variable, [0], [3.0])

    assert [type(one).__name__ for one in (variable, given)] == [
        "ResourceVariable",
        "_UnreadVariable",
    ]


@behaviour("T1")
def test_objects_that_are_loaded_are_somebodys_objects(tmp_path: Any) -> None:
    module = tf.Module()
    module.part = tf.Module()
    module.part.v = tf.Variable(1.0)
    tf.saved_model.save(module, str(tmp_path))
    loaded = tf.saved_model.load(str(tmp_path))

    assert [type(one).__name__ for one in (loaded, loaded.part)] == ["_UserObject"] * 2


@behaviour("T1")
def test_specs_of_operators_are_called_after_them() -> None:
    operator = tf.linalg.LinearOperatorDiag([1.0, 2.0], is_self_adjoint=True)
    of_zeros = tf.type_spec_from_value(tf.linalg.LinearOperatorZeros(2))
    both = tf.linalg.LinearOperatorComposition([operator, operator])
    spec = tf.type_spec_from_value(operator)

    assert type(spec).__name__ == "LinearOperatorDiagSpec"
    assert type(of_zeros).__name__ == "LinearOperatorZerosSpec"
    start = "LinearOperatorDiagSpec({'diag': TensorSpec(shape=(2,), dtype=tf.float32, name=None)}, "
    text = repr(spec)
    assert text.startswith(start)
    assert text.endswith("}, ())")
    assert "'is_self_adjoint': True" in text
    assert "'is_square': True" in text
    assert repr(of_zeros).endswith(" ('num_rows', 'num_columns', 'batch_shape'))")
    assert spec == tf.type_spec_from_value(tf.linalg.LinearOperatorDiag([3.0, 4.0], None, True))
    assert tf.type_spec_from_value(both).is_compatible_with(both)


@behaviour("T1")
def test_where_no_strategy_was_entered_there_is_one_of_this_name() -> None:
    assert type(tf.distribute.get_strategy()).__name__ == "_DefaultDistributionStrategy"


@behaviour("T1")
def test_fields_of_messages_print_as_the_operation_that_found_them() -> None:
    number = tf.train.Int64List(value=[5]).SerializeToString()
    found = tf.io.decode_proto(number, "tensorflow.Int64List", ["value"], [tf.int64])
    assert type(found).__name__ == "DecodeProtoV2"
    assert found._fields == ("sizes", "values")
