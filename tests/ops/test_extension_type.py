"""Users' own composites: fields, checks, and their way through functions."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest

import tensormill as tf


class Masked(tf.experimental.ExtensionType):
    values: tf.Tensor
    mask: tf.Tensor
    name: str = "masked"

    def total(self) -> Any:
        return tf.reduce_sum(tf.where(self.mask, self.values, 0.0))


class Pair(tf.experimental.ExtensionType):
    parts: Mapping[str, tf.Tensor]
    rows: tf.RaggedTensor
    size: tuple[int, ...]

    def __init__(self, rows: Any, **parts: Any) -> None:
        self.rows = rows
        self.parts = parts
        self.size = (len(parts),)


class Positive(tf.experimental.ExtensionType):
    x: tf.TensorSpec([None], tf.float32)  # type: ignore[valid-type]

    def __validate__(self) -> None:
        if self.x.shape[0] == 0:
            raise ValueError("empty")


class Told(tf.experimental.ExtensionType):
    pair: tuple[int, str] = (1, "a")
    by_name: Mapping[str, int] = {}
    rate: float = 1.0
    shape: tf.TensorShape = tf.TensorShape([])
    dtype: tf.DType = tf.float32
    rows: tuple[tf.RaggedTensor, ...] = ()


def masked() -> Masked:
    return Masked([1.0, 2.0, 3.0], [True, False, True])


def test_values_are_no_tensors() -> None:
    assert not tf.is_tensor(masked())


def test_objects_may_say_that_they_are_tensors() -> None:
    class Told:
        is_tensor_like = True

    assert (True, False) == (tf.is_tensor(Told()), tf.is_tensor(object()))


def test_fields_are_converted_and_cannot_be_changed() -> None:
    value = masked()

    assert (value.values.dtype, value.name) == (tf.float32, "masked")
    with pytest.raises(AttributeError, match="Cannot mutate attribute `values`"):
        value.values = 3  # type: ignore[misc,assignment]


@pytest.mark.parametrize(
    ("words", "make"),
    [
        ("missing a required argument", lambda: Masked([1.0])),
        ("unexpected keyword", lambda: Masked([1.0], [True], colour=1)),
        ("expected a str", lambda: Masked([1.0], [True], 3)),
        ("expected a Tensor", lambda: Masked(object(), [True])),
        ("expected TensorSpec", lambda: Positive([[1.0]])),
        (r"pair\[1\]: expected a str, got 'int'", lambda: Told(pair=(1, 2))),
        ("pair: expected a tuple with length 2", lambda: Told(pair=(1,))),
        ("pair: expected a tuple, got 'int'", lambda: Told(pair=3)),
        (r"by_name\['a'\]: expected a int, got 'str'", lambda: Told(by_name={"a": "b"})),
        (r"by_name\[<key>\]: expected a str, got 'int'", lambda: Told(by_name={1: 2})),
        ("by_name: expected a mapping, got 'list'", lambda: Told(by_name=[1])),
        ("rate: expected a float, got 'int'", lambda: Told(rate=3)),
        ("shape: expected a TensorShape, got 'str'", lambda: Told(shape="ab")),
        ("dtype: expected a DType, got 'str'", lambda: Told(dtype="nix")),
    ],
)
def test_wrong_fields_are_an_error(words: str, make: Any) -> None:
    with pytest.raises(TypeError, match=words):
        make()


def test_shapes_and_dtypes_are_read_from_what_users_write() -> None:
    value = Told(shape=[1, None], dtype="int32", pair=[2, "b"])

    assert (tf.TensorShape([1, None]), tf.int32, (2, "b")) == (
        value.shape, value.dtype, value.pair
    )  # fmt: skip


@pytest.mark.parametrize("wanted", [list, dict[str, int], tuple, set, tuple[list, ...], Mapping])
def test_an_annotation_that_no_field_can_have_is_an_error(wanted: Any) -> None:
    with pytest.raises(TypeError, match="In field 'x': Unsupported type annotation"):
        type("Wrong", (tf.experimental.ExtensionType,), {"__annotations__": {"x": wanted}})


def test_a_default_of_another_type_is_an_error_where_the_class_is_written() -> None:
    with pytest.raises(TypeError, match="default value for x: expected a int, got 'str'"):

        class Wrong(tf.experimental.ExtensionType):
            x: int = "one"  # type: ignore[assignment]


@pytest.mark.parametrize("run", [lambda f: f, tf.function])
def test_values_are_equal_whose_tensors_and_other_fields_are(run: Any) -> None:
    same = run(lambda one, other: one == other)
    some, rows = masked(), tf.ragged.constant([[1], [2, 3]])

    assert same(some, masked()).dtype is tf.bool
    assert [True, False, False] == [
        bool(same(some, Masked([1.0, 2.0, last], [True, False, True], name)))
        for last, name in ((3.0, "masked"), (4.0, "masked"), (3.0, "other"))
    ]
    assert [True, False, False] == [
        bool(same(Told(rows=[rows]), Told(rows=[other] * count)))
        for other, count in ((rows, 1), (tf.ragged.constant([[1, 2], [3]]), 1), (rows, 2))
    ]
    assert not same(some, Masked([1.0], [True]))


def test_values_of_sizes_that_only_the_program_knows_are_compared() -> None:
    spec: Any = Masked.Spec(  # type: ignore[call-arg]
        tf.TensorSpec([None], tf.float32), tf.TensorSpec([None], tf.bool), "masked"
    )
    same = tf.function(lambda one, other: one == other, input_signature=[spec, spec])

    assert same(masked(), masked())
    assert not same(masked(), Masked([1.0], [True]))
    assert not same(Masked([1.0, 1.0], [True, True]), Masked([1.0], [True]))


def test_new_values_are_validated() -> None:
    with pytest.raises(ValueError, match="empty"):
        Positive([])


def test_values_go_through_functions_and_loops() -> None:
    @tf.function
    def doubled(x: Masked, times: Any) -> Any:
        step = lambda k, m: (k + 1, Masked(m.values * 2.0, m.mask, m.name))  # noqa: E731
        return tf.while_loop(lambda k, m: k < times, step, (0, x))[1]

    found = doubled(masked(), tf.constant(2))

    assert isinstance(found, Masked)
    assert found.total().numpy() == 16.0
    assert doubled.experimental_get_tracing_count() == 1


def test_tensors_are_taken_out_in_the_order_of_the_fields() -> None:
    flat = tf.nest.flatten(Masked([7.0], [True]), expand_composites=True)

    assert [tf.float32, tf.bool] == [tensor.dtype for tensor in flat]
    assert masked() == tf.nest.map_structure(lambda x: x, masked(), expand_composites=True)


def test_mappings_become_immutable_ones() -> None:
    class Player(tf.experimental.ExtensionType):
        attributes: Mapping[str, Mapping[str, int]]

    player = Player({"speed": {"walking": 5}})

    assert repr(player) == (
        "Player(attributes=ImmutableDict({'speed': ImmutableDict({'walking': 5})}))"
    )
    assert (
        repr(tf.type_spec_from_value(player)) == "Player.Spec(attributes={'speed': {'walking': 5}})"
    )
    assert player.attributes == {"speed": {"walking": 5}}
    with pytest.raises(TypeError):
        cast("Any", player.attributes)["speed"] = {}


def test_a_constructor_may_be_written() -> None:
    value = Pair(tf.ragged.constant([[1], [2, 3]]), a=[1.0], b=[2.0])
    same = tf.function(lambda x: x)(value)

    assert same == value
    assert (same.size, same.rows.to_list()) == ((2,), [[1], [2, 3]])
    assert len(tf.nest.flatten(value, expand_composites=True)) == 4


def test_specs_describe_them() -> None:
    spec: Any = tf.type_spec_from_value(masked())
    wanted = Masked.Spec(tf.TensorSpec([3]), tf.TensorSpec([3], tf.bool), "masked")

    assert spec == wanted
    assert spec.values == tf.TensorSpec([3])
    assert not spec.is_compatible_with(Masked([1.0], [True]))
    assert tf.function(Masked.total, input_signature=[spec])(masked()).numpy() == 4.0


class Branch(tf.experimental.ExtensionType):
    value: tf.Tensor
    children: tuple[Branch, ...] = ()


class Alike(tf.experimental.ExtensionType):
    """Equal where both are valid; described by one shape."""

    values: tf.Tensor
    mask: tf.Tensor

    class Spec:
        def __init__(self, shape: Any, dtype: Any = tf.float32) -> None:
            self.values = tf.TensorSpec(shape, dtype)
            self.mask = tf.TensorSpec(shape, tf.bool)

        def __repr__(self) -> str:
            return f"Alike.Spec({self.values.shape})"

    def __eq__(self, other: Any) -> Any:
        return tf.reduce_all((self.values == other.values) | ~(self.mask & other.mask))

    __hash__ = None  # type: ignore[assignment]


def test_a_class_may_mention_itself() -> None:
    tree = Branch(3, [Branch(5), Branch(2, [Branch(1)])])
    doubled = tf.function(lambda branch: tf.nest.map_structure(
        lambda x: 2 * x, branch, expand_composites=True
    ))  # fmt: skip

    assert 1 == tree.children[1].children[0].value
    assert 2 == doubled(tree).children[1].children[0].value


@pytest.mark.skipif(sys.version_info < (3, 14), reason="evaluates annotations at once")
def test_a_class_may_mention_itself_as_it_is() -> None:
    text = "class Chain(ExtensionType):\n    value: Tensor\n    rest: Chain | None = None"
    scope: dict[str, Any] = {"ExtensionType": tf.experimental.ExtensionType, "Tensor": tf.Tensor}
    exec(compile(text, "chain", "exec", dont_inherit=True), scope)
    chain = scope["Chain"]

    assert 2 == chain(1, chain(2)).rest.value
    with pytest.raises(NameError, match="Missing"):
        exec(compile(text.replace("Tensor", "Missing"), "chain", "exec", dont_inherit=True), scope)


@pytest.mark.parametrize("run", [lambda f: f, tf.function])
def test_unequal_is_the_opposite_of_the_own_equal(run: Any) -> None:
    one, other = Alike([1.0, 2.0], [True, False]), Alike([1.0, 3.0], [True, True])

    assert [True, False] == [bool(run(lambda: one == other)()), bool(run(lambda: one != other)())]


def test_a_spec_may_have_its_own_constructor_and_text() -> None:
    spec: Any = Alike.Spec([None])  # type: ignore[call-arg]
    value = Alike([1.0, 2.0], [True, False])
    doubled = tf.function(lambda x: Alike(x.values * 2.0, x.mask), input_signature=[spec])

    assert "Alike.Spec((None,))" == repr(spec)
    assert "Alike.Spec((2,))" == repr(tf.type_spec_from_value(value))
    assert [2.0, 4.0] == doubled(value).values.numpy().tolist()
    assert spec.is_compatible_with(value)


def test_a_spec_of_the_users_sets_all_fields() -> None:
    class Half(tf.experimental.ExtensionType):
        x: tf.Tensor
        y: tf.Tensor

        class Spec:
            def __init__(self) -> None:
                self.x = tf.TensorSpec([])

    with pytest.raises(ValueError, match=r"Missing required fields: \{'y'\}"):
        Half.Spec()  # type: ignore[call-arg]


class Private(tf.experimental.ExtensionType):
    _values: tf.Tensor
    _scale: int = 2


def test_names_of_fields_may_begin_with_an_underscore() -> None:
    doubled = tf.function(lambda it: Private(it._values * it._scale))
    assert doubled(Private([1, 2]))._values.numpy().tolist() == [2, 4]


class Early(tf.experimental.ExtensionType):
    parts: tuple[Later, ...] = ()


class Later(tf.experimental.ExtensionType):
    inner: Early


def test_annotations_name_classes_that_are_written_later() -> None:
    assert Early((Later(Early()),)).parts[0].inner.parts == ()


def test_parts_of_annotations_name_classes_that_are_written_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = """
import typing
import tensormill as tf

class First(tf.experimental.ExtensionType):
    pair: tuple["Second", ...] = ()
    one: typing.Optional[tuple["Second", int]] = None
    kind: "ClassVariety" = None
    count: "typing.ClassVar[int]" = 3

class Second(tf.experimental.ExtensionType):
    x: int

class ClassVariety(Second):
    pass
"""
    (tmp_path / "written_later.py").write_text(body)
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("written_later")
    second, kind = module.Second(1), module.ClassVariety(2)

    made = module.First((second,), (second, 4), kind)

    assert [1, 4, 2] == [made.pair[0].x, made.one[1], made.kind.x]
    with pytest.raises(TypeError, match="expected a Second"):
        module.First((3,), None, kind)


def test_an_annotation_that_names_nothing_is_refused_with_the_first_value() -> None:
    class Misspelled(tf.experimental.ExtensionType):
        x: Tensro  # type: ignore[name-defined]  # noqa: F821

    with pytest.raises(TypeError, match="x: its annotation 'Tensro' names what is not there"):
        Misspelled(1)


def test_a_default_of_a_tensor_waits_for_a_value() -> None:
    class Defaulted(tf.experimental.ExtensionType):
        x: tf.Tensor = cast(tf.Tensor, None)

    with pytest.raises(TypeError, match="x: expected a Tensor, got None"):
        Defaulted()


BODIES = {
    "without annotation": ({"x": 3}, "Field x is missing a type annotation"),
    "a kept name": ({"__annotations__": {"_type_spec": int}}, "Field '_type_spec' is reserved"),
    "a kept prefix": ({"_tf_extension_type_x": 3}, "Field '_tf_extension_type_x' is reserved"),
    "no spec": ({"Spec": 3}, "Spec must be a nested class, got 3"),
}


@pytest.mark.parametrize(("body", "fault"), BODIES.values(), ids=BODIES)
def test_bodies_of_classes_are_checked(body: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        type("Wrong", (tf.experimental.ExtensionType,), body)


def test_what_is_no_field_needs_no_annotation() -> None:
    class Helped(tf.experimental.ExtensionType):
        x: int = 3
        double = property(lambda self: self.x * 2)
        twice = staticmethod(lambda x: x * 2)

        class Inner:
            pass

    assert (Helped().double, Helped.twice(4)) == (6, 8)


def test_a_constructor_sets_all_fields() -> None:
    class Forgetful(tf.experimental.ExtensionType):
        x: int

        def __init__(self) -> None:
            pass

    with pytest.raises(ValueError, match=r"must set all fields, not \['x'\]"):
        Forgetful()


FIELDS_OF_SPECS = {
    "values": (tf.constant(1.0), tf.RaggedTensorSpec([None, None]), 3, None, [2]),
    "mask": (True,),
    "name": (tf.TensorSpec([]), 3),
}


@pytest.mark.parametrize("field", FIELDS_OF_SPECS)
def test_specs_describe_what_fields_hold(field: str) -> None:
    spec = tf.TensorSpec([None])
    right = {"values": spec, "mask": spec, "name": "a"}
    assert getattr(Masked.Spec(**right), field) is right[field]
    for wrong in FIELDS_OF_SPECS[field]:
        with pytest.raises(TypeError, match=f"{field}: expected"):
            Masked.Spec(**{**right, field: wrong})


def test_fields_of_specs_are_converted_as_those_of_values_are() -> None:
    spec = Told.Spec((2, "b"), {"k": 1}, 2.0, [3], "int32", [tf.RaggedTensorSpec([None, None])])
    assert (spec.shape, spec.dtype) == (tf.TensorShape([3]), tf.int32)
    with pytest.raises(TypeError, match=r"rows\[0\]: expected the spec of a RaggedTensor"):
        Told.Spec((2, "b"), {}, 2.0, [3], "int32", [tf.TensorSpec([])])


def test_a_class_of_specs_knows_its_values() -> None:
    assert Masked.Spec.value_type is Masked
