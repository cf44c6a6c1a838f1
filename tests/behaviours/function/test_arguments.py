"""Arguments that say their own types, spellings of calls, and which trace serves: F23 to F31."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from tests.behaviours.library import behaviour, differs, tf

NONE = tf.constant(0)
ONE = tf.constant(1.0)


def counted(body: Any = lambda x: NONE, **options: Any) -> Any:
    return tf.function(body, autograph=False, **options)


# ---------------------------------------------------------------- classes that take part


class Pair:
    """Flattened: its label is fixed in a trace, its parts are tensors."""

    def __init__(self, label: str, x: Any, y: Any) -> None:
        self.label, self.x, self.y = label, x, y

    def __tf_flatten__(self) -> Any:
        return (self.label,), (self.x, self.y)

    @classmethod
    def __tf_unflatten__(cls, metadata: Any, components: Any) -> Pair:
        return cls(*metadata, *components)


def swapped(pair: Any) -> Any:
    return Pair(pair.label, pair.y, pair.x)


@behaviour("F23")
def test_a_class_may_flatten_itself_and_be_returned() -> None:
    f = counted(swapped)
    first = f(Pair("a", tf.constant(1), tf.constant(2)))
    second = f(Pair("a", tf.constant(3), tf.constant(4)))

    assert (first.label, first.x.numpy(), first.y.numpy()) == ("a", 2, 1)
    assert (second.x.numpy(), second.y.numpy()) == (4, 3)
    assert f.experimental_get_tracing_count() == 1


@behaviour("F23")
def test_the_metadata_of_a_flattened_class_is_part_of_the_key() -> None:
    f = counted(swapped)
    for label in ("a", "b", "".join("a")):
        f(Pair(label, tf.constant(1), tf.constant(2)))

    assert f.experimental_get_tracing_count() == 2


@behaviour("F23")
def test_the_components_of_a_flattened_class_are_keyed_like_arguments() -> None:
    f = counted(swapped)
    f(Pair("a", tf.constant(1), tf.constant(2)))
    f(Pair("a", tf.constant(1.0), tf.constant(2)))
    f(Pair("a", tf.constant([1.0]), tf.constant(2)))

    assert f.experimental_get_tracing_count() == 3


@dataclasses.dataclass
class Step:
    size: int
    x: Any

    def __tf_flatten__(self) -> Any:
        return (self.size,), (self.x,)

    @classmethod
    def __tf_unflatten__(cls, metadata: Any, components: Any) -> Step:
        return cls(*metadata, *components)


@behaviour("F23")
def test_a_dataclass_may_be_flattened() -> None:
    f = counted(lambda step: Step(step.size + 1, step.x * 2.0))
    results = [f(Step(size, tf.constant(x))) for size, x in ((1, 1.0), (1, 2.0), (2, 3.0))]

    assert [(one.size, one.x.numpy()) for one in results] == [(2, 2.0), (2, 4.0), (3, 6.0)]
    assert f.experimental_get_tracing_count() == 2


class Field:
    def __init__(self, name: str) -> None:
        self.name = name


class Record:
    """As the attrs library marks its classes."""

    __attrs_attrs__ = (Field("x"), Field("k"))

    def __init__(self, x: Any, k: Any) -> None:
        self.x, self.k = x, k


@behaviour("F23")
def test_classes_of_attrs_are_opened() -> None:
    f = counted(lambda record: Record(record.x + 1, record.x * record.k))
    first = f(Record(tf.constant(1), 10))
    second = f(Record(tf.constant(2), 10))
    f(Record(tf.constant(2), 11))

    assert [first.x.numpy(), first.k.numpy(), second.x.numpy(), second.k.numpy()] == [2, 10, 3, 20]
    assert f.experimental_get_tracing_count() == 2


class Parity(tf.types.experimental.TraceType):
    """Serves all odd numbers, or all even ones; `None` serves every number."""

    def __init__(self, odd: Any) -> None:
        self.odd = odd

    def is_subtype_of(self, other: Any) -> bool:
        return isinstance(other, Parity) and other.odd in (None, self.odd)

    def most_specific_common_supertype(self, others: Any) -> Any:
        return self if all(self == other for other in others) else Parity(None)

    def placeholder_value(self, placeholder_context: Any) -> Any:
        return {True: "odd", False: "even", None: "number"}[self.odd]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Parity) and self.odd == other.odd

    def __hash__(self) -> int:
        return hash(self.odd)


class Number:
    def __init__(self, value: int) -> None:
        self.value = value

    def __tf_tracing_type__(self, context: Any) -> Parity:
        return Parity(bool(self.value % 2))


@behaviour("F24")
def test_a_class_may_say_its_own_trace_type() -> None:
    seen: list[Any] = []
    f = counted(lambda x: seen.append(x))
    for value in (1, 3, 2, 4):
        f(Number(value))

    assert seen == ["odd", "even"]
    assert f.experimental_get_tracing_count() == 2


@behaviour("F24")
def test_a_supertype_serves_its_subtypes_where_retracing_is_reduced() -> None:
    seen: list[Any] = []
    f = counted(lambda x: seen.append(x), reduce_retracing=True)
    for value in (1, 2, 3, 4):
        f(Number(value))

    assert seen == ["odd", "number"]


@behaviour("F24")
def test_trace_types_work_inside_of_containers() -> None:
    seen: list[Any] = []
    f = counted(lambda x: seen.append(x))
    f([Number(1), Number(2)])
    f([Number(3), Number(4)])

    assert seen == [["odd", "even"]]


@behaviour("F24")
@pytest.mark.parametrize("missing", ["is_subtype_of", "placeholder_value", "__eq__", "__hash__"])
def test_a_trace_type_has_to_say_everything(missing: str) -> None:
    class Half(Parity):
        pass

    Half.__abstractmethods__ = frozenset({missing})
    with pytest.raises(TypeError, match=missing):
        Half(True)
    with pytest.raises(TypeError, match=missing):
        tf.types.experimental.TraceType()


@behaviour("F24")
def test_what_is_no_trace_type_is_refused() -> None:
    class Wrong:
        def __tf_tracing_type__(self, context: Any) -> Any:
            return 3

    with pytest.raises(TypeError, match="Expected an instance of TraceType for Tracing Protocol"):
        counted()(Wrong())


@behaviour("F24")
def test_specs_are_trace_types_and_the_protocol_can_be_asked_for() -> None:
    types = tf.types.experimental

    assert isinstance(tf.TensorSpec([]), types.TraceType)
    assert isinstance(tf.RaggedTensorSpec([None, None]), types.TraceType)
    assert isinstance(Number(1), types.SupportsTracingProtocol)
    assert not isinstance(1, types.SupportsTracingProtocol)


class MaskedType(tf.types.experimental.TraceType):
    """Two tensors, through their own specs."""

    def __init__(self, values: Any, mask: Any) -> None:
        self.specs = (values, mask)

    def is_subtype_of(self, other: Any) -> bool:
        pairs = zip(self.specs, other.specs, strict=True)
        return all(mine.is_subtype_of(theirs) for mine, theirs in pairs)

    def most_specific_common_supertype(self, others: Any) -> Any:
        columns = zip(*(other.specs for other in others), strict=True)
        pairs = zip(self.specs, columns, strict=True)
        return MaskedType(*(one.most_specific_common_supertype(rest) for one, rest in pairs))

    def placeholder_value(self, placeholder_context: Any) -> Any:
        return Masked(*(spec.placeholder_value(placeholder_context) for spec in self.specs))

    def to_tensors(self, value: Any) -> Any:
        return [value.values, value.mask]

    def flatten(self) -> Any:
        return list(self.specs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MaskedType) and self.specs == other.specs

    def __hash__(self) -> int:
        return hash(self.specs)


class Masked:
    def __init__(self, values: Any, mask: Any) -> None:
        self.values, self.mask = values, mask

    def __tf_tracing_type__(self, context: Any) -> MaskedType:
        return MaskedType(*(tf.TensorSpec(x.shape, x.dtype) for x in (self.values, self.mask)))


def masked(*values: float) -> Masked:
    return Masked(tf.constant(values), tf.constant([value > 0 for value in values]))


def filled(x: Any, other: Any) -> Any:
    return tf.where(x.mask, x.values, other)


@behaviour("F24")
@differs
def test_a_value_with_its_own_trace_type_may_hold_tensors() -> None:
    f = counted(filled)

    assert f(masked(1.0, -2.0), tf.constant(9.0)).numpy().tolist() == [1.0, 9.0]
    assert f(masked(-1.0, 2.0), tf.constant(8.0)).numpy().tolist() == [8.0, 2.0]
    assert f.experimental_get_tracing_count() == 1


@behaviour("F24")
@differs
def test_the_tensors_of_such_a_value_are_relaxed() -> None:
    f = counted(filled, reduce_retracing=True)
    for values in ((1.0,), (1.0, -2.0), (1.0, 2.0, -3.0)):
        result = f(masked(*values), tf.constant(9.0))

    assert result.numpy().tolist() == [1.0, 2.0, 9.0]
    assert f.experimental_get_tracing_count() == 2


@behaviour("F24")
@differs
def test_a_concrete_function_takes_such_values() -> None:
    whole = counted(filled).get_concrete_function(masked(1.0, -1.0), tf.constant(0.0))
    parity = counted().get_concrete_function(Number(1))

    assert whole(masked(-3.0, 4.0), tf.constant(5.0)).numpy().tolist() == [5.0, 4.0]
    assert parity(Number(3)).numpy() == 0
    with pytest.raises(TypeError, match="Can not cast"):
        parity(Number(2))


# ---------------------------------------------------------------- spellings


def spelled(a: Any, b: Any = 2, *, c: Any = 3) -> Any:
    return NONE


@behaviour("F25")
def test_spellings_of_a_call_share_a_trace() -> None:
    f = counted(spelled)
    f(1)
    f(1, 2)
    f(a=1)
    f(1, b=2)
    f(b=2, a=1)
    f(1, c=3)

    assert f.experimental_get_tracing_count() == 1


@behaviour("F25")
def test_the_order_of_keywords_is_irrelevant() -> None:
    seen: list[Any] = []

    def difference(**kwargs: Any) -> Any:
        seen.append(list(kwargs))
        return kwargs["a"] - kwargs["b"]

    f = counted(difference)

    assert f(b=tf.constant(1), a=tf.constant(2)).numpy() == 1
    assert f(a=tf.constant(3), b=tf.constant(1)).numpy() == 2
    assert f.experimental_get_tracing_count() == 1
    assert seen == [["a", "b"]]


@behaviour("F25")
def test_another_number_of_arguments_is_another_trace() -> None:
    f = counted(lambda *args: NONE)
    f(1)
    f(1, 2)
    f((1, 2))
    f(1, 2)

    assert f.experimental_get_tracing_count() == 3


@behaviour("F26")
def test_a_default_that_is_a_tensor_is_an_argument_like_others() -> None:
    def doubled(x: Any = ONE) -> Any:
        return x * 2.0

    f = counted(doubled)

    assert [f().numpy(), f(tf.constant(4.0)).numpy(), f().numpy()] == [2.0, 8.0, 2.0]
    assert f.experimental_get_tracing_count() == 1


@behaviour("F26")
def test_a_default_may_be_a_list() -> None:
    def total(x: Any = [1, 2]) -> Any:  # noqa: B006
        return tf.constant(sum(x))

    f = counted(total)

    assert [f().numpy(), f([1, 2]).numpy(), f([3]).numpy()] == [3, 3, 3]
    assert f.experimental_get_tracing_count() == 2


@behaviour("F27")
@pytest.mark.parametrize(
    ("args", "kwargs", "reason"),
    [
        ((), {}, "missing a required argument: 'a'"),
        ((1, 2, 3), {}, "too many positional arguments"),
        ((1,), {"z": 7}, "got an unexpected keyword argument 'z'"),
        ((1,), {"a": 1}, "multiple values for argument 'a'"),
    ],
)
def test_arguments_that_do_not_fit_are_named(args: Any, kwargs: Any, reason: str) -> None:
    with pytest.raises(TypeError, match=r"Binding inputs to tf.function failed") as failure:
        counted(spelled)(*args, **kwargs)

    text = str(failure.value)
    assert reason in text
    assert "Received args: " in text
    assert f"kwargs: {kwargs}" in text
    assert "for signature: (a" in text


# ---------------------------------------------------------------- around the call


@behaviour("F28")
def test_scopes_tapes_and_callers_are_no_part_of_the_key() -> None:
    f, x = counted(lambda x: x * 2.0), tf.constant(1.0)
    f(x)
    with tf.name_scope("elsewhere"), tf.device("/cpu:0"):
        f(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        f(x)
    counted(lambda x: f(x) + f(x))(x)

    assert f.experimental_get_tracing_count() == 1


@behaviour("F28")
@differs
def test_a_graph_around_a_call_needs_no_trace_of_its_own() -> None:
    f = counted(lambda x: x * 2.0)
    f(tf.constant(1.0))
    shapes: list[Any] = []
    for _ in range(2):
        with tf.Graph().as_default():
            shapes += [f(tf.constant([1.0])).shape, f(tf.constant([2.0])).shape]

    assert shapes == [tf.TensorShape([1])] * 4
    assert f.experimental_get_tracing_count() == 2


@behaviour("F29")
def test_a_more_general_trace_serves_calls_and_requests() -> None:
    f = counted(tf.reduce_sum)
    general = f.get_concrete_function(tf.TensorSpec([None]))

    assert [f(tf.ones([size])).numpy() for size in (1, 2)] == [1.0, 2.0]
    assert f.get_concrete_function(tf.TensorSpec([2])) is general
    assert f.experimental_get_tracing_count() == 1


@behaviour("F29")
def test_the_general_trace_is_made_beside_a_specific_one() -> None:
    f = counted(lambda x: x)
    f(tf.ones([2]))
    f.get_concrete_function(tf.TensorSpec([None]))
    counts = [f.experimental_get_tracing_count()]
    f.get_concrete_function(tf.TensorSpec([2]))
    f(tf.ones([7]))

    assert [*counts, f.experimental_get_tracing_count()] == [2, 2]


@behaviour("F29")
def test_of_two_general_traces_one_serves() -> None:
    f = counted(lambda x: x)
    f.get_concrete_function(tf.TensorSpec([None, 2]))
    f.get_concrete_function(tf.TensorSpec([2, None]))
    f(tf.ones([2, 2]))

    assert f.experimental_get_tracing_count() == 2


@behaviour("F30")
@pytest.mark.parametrize("wrap", [lambda spec: spec, lambda spec: [spec], lambda spec: {"a": spec}])
def test_a_spec_is_no_argument_of_a_call(wrap: Any) -> None:
    with pytest.raises(ValueError, match="unsupported type") as failure:
        counted()(wrap(tf.TensorSpec([])))

    assert "TensorSpec" in str(failure.value)


# ---------------------------------------------------------------- arguments that the body changes

CHANGES = {
    "append": lambda items: items.append(NONE),
    "extend": lambda items: items.extend([NONE]),
    "insert": lambda items: items.insert(0, NONE),
    "pop": lambda items: items.pop(),
    "reverse": lambda items: items.reverse(),
    "remove": lambda items: items.remove("x"),
    "clear": lambda items: items.clear(),
    "item": lambda items: items.__setitem__(0, NONE),
}


@behaviour("F31")
@pytest.mark.parametrize("change", CHANGES)
def test_a_list_that_is_an_argument_may_not_be_changed(change: str) -> None:
    given = ["x", tf.constant(1), [2]]
    before = list(given)
    f = counted(lambda items: CHANGES[change](items))

    with pytest.raises(ValueError, match="should not modify its Python input arguments") as failure:
        f(given)

    text = str(failure.value)
    assert "Modifying a copy is allowed" in text
    assert text.endswith("The following parameter(s) were modified: items")
    assert all(one is other for one, other in zip(given, before, strict=True))


TABLES = {
    "update": lambda table: table.update(b=1),
    "setdefault": lambda table: table.setdefault("b", 1),
    "pop": lambda table: table.pop("a"),
    "clear": lambda table: table.clear(),
    "nested": lambda table: table["a"].append(1),
    "same leaves": lambda table: table.update(b=[], a=table["a"]),
}


@behaviour("F31")
@pytest.mark.parametrize("change", TABLES)
def test_a_dict_that_is_an_argument_may_not_be_changed(change: str) -> None:
    given = {"a": [1]}
    f = counted(lambda other, table: TABLES[change](table))

    with pytest.raises(ValueError, match="were modified: table"):
        f([1], given)

    assert given == {"a": [1]}


@behaviour("F31")
def test_a_copy_of_an_argument_may_be_changed() -> None:
    def extended(items: Any) -> Any:
        more = list(items)
        more.append(tf.constant(3))
        return tf.stack(more)

    assert counted(extended)([tf.constant(1), tf.constant(2)]).numpy().tolist() == [1, 2, 3]


class Bag:
    left: Any = None


@behaviour("F31")
def test_attributes_of_an_argument_are_not_watched_and_leak() -> None:
    bag = Bag()
    counted(lambda bag, x: setattr(bag, "left", x * 2.0))(bag, tf.constant(1.0))

    with pytest.raises(TypeError, match="out of scope"):
        bag.left + 1.0
