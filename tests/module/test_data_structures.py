"""Lists and dicts of trackables: still lists and dicts, whatever is done to them (M4, M5, M12)."""

from __future__ import annotations

import copy
import json
import pickle
from collections import OrderedDict, defaultdict, namedtuple
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill.module.data_structures import (
    ListWrapper,
    NoDependency,
    _DictWrapper,
    _TupleWrapper,
    children_of,
)
from tensormill.module.trackable import AutoTrackable

V = tf.Variable
Pair = namedtuple("Pair", "x y")


def owner(**attributes: Any) -> Any:
    made = AutoTrackable()
    for name, value in attributes.items():
        setattr(made, name, value)
    return made


def test_attributes_are_wrapped_and_stay_lists_and_dicts() -> None:
    """M5: wrapper types that still satisfy isinstance."""
    made = owner(numbers=[1, [2]], table={"a": {"b": 1}}, pair=Pair(1, [2]), plain=(1, 2))

    assert (ListWrapper, ListWrapper) == (type(made.numbers), type(made.numbers[1]))
    assert (_DictWrapper, _DictWrapper) == (type(made.table), type(made.table["a"]))
    assert (Pair, ListWrapper, tuple) == (type(made.pair), type(made.pair.y), type(made.plain))
    assert ([1, [2]], {"a": {"b": 1}}, (1, [2])) == (made.numbers, made.table, made.pair)
    assert "ListWrapper([1, ListWrapper([2])])" == f"{made.numbers}"  # as TensorFlow shows it
    assert "DictWrapper({'a': DictWrapper({'b': 1})})" == repr(made.table)


def test_other_collections_are_left_alone() -> None:
    ordered, default, numbers = OrderedDict(a=V(1.0)), defaultdict(list), {1}
    made = owner(ordered=ordered, default=default, numbers=numbers)

    assert made.ordered is ordered
    assert made.default is default
    assert made.numbers is numbers
    assert ["ordered"] == list(made._trackable_children())


def test_what_is_assigned_and_what_is_wrapped_are_the_same_list() -> None:
    layers: list[Any] = []
    table: dict[str, Any] = {}
    module: Any = tf.Module()
    module.layers, module.table = layers, table
    layers.append(V(1.0))
    table["k"] = V(2.0)
    module.layers.append(V(3.0))

    assert [1.0, 3.0] == [float(v) for v in module.layers] == [float(v) for v in layers]
    assert 3 == len(module.variables)
    assert ["0", "1"] == list(children_of(module.layers))
    assert ["k"] == list(children_of(module.table))


def test_later_elements_are_tracked() -> None:
    """M12: variables are found in containers that were changed after construction."""
    module: Any = tf.Module()
    module.items = []
    module.items.append([V(1.0)])
    module.items += [V(2.0)]
    module.items.insert(0, {"a": V(3.0)})
    module.items[1].append(V(4.0))

    assert [3.0, 1.0, 4.0, 2.0] == [float(v) for v in module.variables]
    assert ["0", "1", "2"] == list(children_of(module.items))
    del module.items[1:]
    assert [3.0] == [float(v) for v in module.variables]
    del module.items
    assert () == module.variables


LIST_STEPS: dict[str, Callable[[Any, int], Any]] = {
    "append": lambda x, n: x.append(n),
    "extend": lambda x, n: x.extend([n, n + 1]),
    "insert": lambda x, n: x.insert(n % 3, n),
    "pop": lambda x, n: x.pop() if len(x) else None,
    "remove": lambda x, n: x.remove(x[0]) if x else None,
    "reverse": lambda x, n: x.reverse(),
    "sort": lambda x, n: x.sort(),
    "clear": lambda x, n: x.clear() if n == 0 else None,
    "set": lambda x, n: x.__setitem__(slice(0, 1), [n]),
    "delete": lambda x, n: x.__delitem__(slice(n % 4, None, 2)),
    "iadd": lambda x, n: x.__iadd__([n]) and None,
    "imul": lambda x, n: x.__imul__(2) and None if len(x) < 20 else None,
    "index": lambda x, n: x.index(n) if n in x else -1,
    "count": lambda x, n: x.count(n),
    "sums": lambda x, n: (
        x + [n] * 2,
        [n] * 2 + x,
        x * 2,
        2 * x,
        x[:1],
        x.copy(),
        list(reversed(x)),
    ),
    "compare": lambda x, n: (x < [n], x >= [n], x != [n], [n] == x, [n] > x),
    "text": lambda x, n: (json.dumps(x), bool(x), len(x), [*x], sorted(x)),
}

DICT_STEPS: dict[str, Callable[[Any, int], Any]] = {
    "set": lambda x, n: x.__setitem__(str(n), n),
    "delete": lambda x, n: x.__delitem__(str(n)) if str(n) in x else None,
    "update": lambda x, n: x.update({"u": n}, v=n),
    "pop": lambda x, n: x.pop(str(n), None),
    "popitem": lambda x, n: x.popitem() if x else None,
    "setdefault": lambda x, n: x.setdefault("d", n),
    "clear": lambda x, n: x.clear() if n == 0 else None,
    "ior": lambda x, n: x.__ior__({"i": n}) and None,
    "unions": lambda x, n: (x | {"o": n}, {"o": n} | x, {**x}, dict(x), dict(**x)),
    "views": lambda x, n: (list(x), list(x.keys()), list(x.values()), list(x.items())),
    "get": lambda x, n: (x.get(str(n)), str(n) in x, x.get("no", 3), list(reversed(x))),
    "compare": lambda x, n: (x == {"u": n}, {"u": n} != x, bool(x), len(x)),
    "text": lambda x, n: (str(x), json.dumps(x), "%(q)s" % (x | {"q": 1}), x.copy()),
}


@pytest.mark.parametrize(("steps", "plain", "attribute"), [
    (LIST_STEPS, [3, 1, 2], "items"), (DICT_STEPS, {"a": 1}, "table"),
])  # fmt: skip
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_wrappers_do_what_lists_and_dicts_do(
    steps: Any, plain: Any, attribute: str, data: Any
) -> None:
    expected = copy.copy(plain)
    wrapped = getattr(owner(**{attribute: copy.copy(plain)}), attribute)
    program = st.lists(st.tuples(st.sampled_from(sorted(steps)), st.integers(0, 5)), max_size=12)
    for name, number in data.draw(program):
        assert steps[name](expected, number) == steps[name](wrapped, number), name
        assert expected == wrapped
        # What C code sees that looks into the object itself:
        base = list if isinstance(plain, list) else dict
        assert base.__len__(wrapped) == len(expected)


@pytest.mark.parametrize("value", [[1, [2], {"a": (3, [4])}], {"a": [1], "b": {"c": 2}}])
def test_wrappers_are_copied_and_pickled(value: Any) -> None:
    wrapped = owner(x=copy.deepcopy(value)).x
    copies = copy.copy(wrapped), copy.deepcopy(wrapped), pickle.loads(pickle.dumps(wrapped))

    for other in copies:
        assert (type(wrapped), value) == (type(other), other)
    other = copies[1]
    (other if isinstance(other, list) else other["a"]).append(9)
    assert value == wrapped != other


def test_a_list_may_contain_its_owner_when_copied() -> None:
    made = owner(items=[])
    made.items.append(made)
    made.items.append(made.items)
    other = copy.deepcopy(made)

    assert other.items[0] is other
    assert other.items[1] is other.items


def test_wrappers_are_structures() -> None:
    made = owner(items=[1, {"k": 2}])
    doubled = tf.nest.map_structure(lambda x: 2 * x, made.items)

    assert [2, {"k": 4}] == doubled
    assert [1, 2] == tf.nest.flatten(made.items)
    with pytest.raises(TypeError, match="unhashable"):
        hash(made.items)


def test_wrappers_are_arguments_of_functions_as_lists_are() -> None:
    traces = []

    @tf.function
    def total(values: Any) -> Any:
        traces.append(1)
        result = tf.constant(0.0)
        for value in values:
            result += value
        return result

    made: Any = owner(items=[tf.constant(1.0), tf.constant(2.0)])

    assert (3.0, 3.0) == (float(total(made.items)), float(total([tf.constant(1.0)] * 3)))
    assert 3.0 == float(total([tf.constant(1.0), tf.constant(2.0)]))
    assert 2 == len(traces)


def test_functions_read_wrapped_attributes() -> None:
    class Stack(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weights = [V(2.0), V(3.0)]
            self.named = {"bias": V(1.0)}
            self.sizes = [4, 5]

        @tf.function
        def __call__(self, x: Any) -> Any:
            parts = []
            for weight in self.weights:
                x = x * weight
                parts.append(x)
            for size in self.sizes:
                x = x + size
            return x + self.named["bias"] + tf.add_n(parts)

    assert 6.0 + 9.0 + 1.0 + 8.0 == float(Stack()(tf.constant(1.0)))


def test_keys_of_saved_dicts_are_strings() -> None:
    made = owner(table={1: V(1.0)}, numbers={1: 2.0})

    assert {} == children_of(made.numbers)
    with pytest.raises(ValueError, match="key 1 is no string, and maps to a trackable"):
        children_of(made.table)


def test_clients_tell_tuples_with_parts_to_track_from_others() -> None:
    module = tf.Module()
    module.layers, module.plain = (tf.Module(), [1]), (1, 2)

    assert (tuple, _TupleWrapper) == (type(module.plain), type(module.layers))
    assert (True, tf.Module, ListWrapper) == (
        isinstance(module.layers, tuple), *map(type, module.layers)
    )  # fmt: skip


def test_fields_of_named_tuples_have_two_names() -> None:
    made = owner(pair=Pair(V(1.0), 2))

    assert ["x", "0"] == list(children_of(made.pair))


def test_attributes_may_be_kept_out_one_by_one() -> None:
    values = [V(1.0)]
    made = owner(hidden=NoDependency(values), seen=values)

    assert made.hidden is values
    assert ["seen"] == list(made._trackable_children())


def test_what_is_no_longer_an_attribute_is_no_child() -> None:
    made = owner(v=V(1.0), w=V(2.0))
    made._track_trackable(made.v, "v", overwrite=True)
    made.v = None
    del made.w

    assert {} == made._trackable_children()


def test_traced_functions_are_children_of_what_is_saved() -> None:
    class WithFunctions(AutoTrackable):
        @property
        def costly(self) -> Any:
            raise RuntimeError("properties are not evaluated")

        @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
        def method(self, x: Any) -> Any:
            if not hasattr(self, "made"):
                self.made = V(1.0)
            return x + self.made

        def plain(self) -> None: ...

    made: Any = WithFunctions()
    made.attribute = tf.function(lambda x: x)

    assert [] == list(made._trackable_children())
    assert {"made", "attribute", "method"} == set(made._trackable_children("savedmodel"))
