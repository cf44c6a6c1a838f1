"""`tf.Module`: what it finds, in which order, under which names."""

from __future__ import annotations

import copy
from collections import namedtuple
from pathlib import Path
from typing import Any

import pytest

import tensormill as tf
from tensormill.module.trackable import (
    AutoTrackable,
    NoDependency,
    Trackable,
    is_trackable,
    no_automatic_dependency_tracking,
)

V = tf.Variable
Pair = namedtuple("Pair", "x y")


class Leaf(tf.Module):
    def __init__(self, number: int) -> None:
        super().__init__()
        self.w = V(float(number), name=f"w{number}")


class Tree(tf.Module):
    def __init__(self, name: str | None = None) -> None:
        super().__init__(name=name)
        self.z = V(1.0, name="z")
        self.a = Leaf(1)
        self._private = V(2.0, name="p")
        self.items = [Leaf(2), V(3.0, name="l"), {"k": Leaf(3), "b": V(4.0, name="kb")}]
        self.pair = (V(5.0, name="t"), Pair(V(6.0, name="px"), Leaf(4)))
        self.shared, self.me, self.other = self.z, self, self.a
        self.b = V(1, trainable=False, name="nt")
        self.mapping = {"y": V(1.0, name="dy"), "x": V(1.0, name="dx")}


def names(variables: Any) -> str:
    return " ".join(v.name.removesuffix(":0") for v in variables)


def test_variables_come_by_attribute_and_before_those_of_submodules() -> None:
    """M3, M4, M9, M10: sorted attributes, containers of all kinds, each variable once."""
    tree = Tree()

    assert "p nt l kb dx dy t px z w1 w2 w3 w4" == names(tree.variables)
    assert "p l kb dx dy t px z w1 w2 w3 w4" == names(tree.trainable_variables)
    assert "nt" == names(tree.non_trainable_variables)


def test_submodules_exclude_the_module_itself() -> None:
    """M3."""
    assert "w1 w2 w3 w4" == names(module.w for module in Tree().submodules)


def test_containers_are_looked_through_when_asked() -> None:
    """M5, M12."""
    tree = Tree()
    tree.items.append(Leaf(9))

    assert isinstance(tree.items, list)
    assert (14, 5) == (len(tree.variables), len(tree.submodules))
    del tree.items
    assert "p nt dx dy t px z w1 w4" == names(tree.variables)


def test_modules_may_refer_to_each_other() -> None:
    one, two = Leaf(1), Leaf(2)
    one.friend, two.friend = two, one

    assert "w1 w2" == names(one.variables)
    assert (two,) == one.submodules


@pytest.mark.parametrize(
    ("expected", "name"), [("my_abc_mod2", "MyABCMod2"), ("d", "D"), ("res_net50", "ResNet50")]
)
def test_the_default_name_is_the_class_in_snake_case(expected: str, name: str) -> None:
    """M1."""
    assert expected == type(name, (tf.Module,), {})().name


def test_a_name_is_an_identifier() -> None:
    assert "hello" == tf.Module("hello").name
    with pytest.raises(ValueError, match="'a b' is not a valid module name"):
        tf.Module("a b")


def test_forgetting_to_initialise_the_base_does_no_harm() -> None:
    """M2, better: TensorFlow's has no name and no variables."""

    class Forgetful(tf.Module):
        def __init__(self) -> None:
            self.v = V(1.0, name="v")

    assert ("forgetful", "v") == (Forgetful().name, names(Forgetful().variables))


def test_methods_may_run_in_the_name_scope_of_the_module() -> None:
    """M6."""

    class Scoped(tf.Module):
        @tf.Module.with_name_scope
        def make(self) -> Any:
            return V(1.0, name="z")

    with tf.name_scope("outer"):
        scoped = Scoped("inner")

    assert "outer/inner/" == scoped.name_scope.name
    assert "outer/inner/z:0" == scoped.make().name


def test_names_are_known_where_a_class_watches_its_attributes() -> None:
    seen: list[str] = []

    class Watched(tf.Module):
        def __getattribute__(self, name: str) -> Any:
            seen.append(name)
            return super().__getattribute__(name)

    watched = Watched("own")
    seen.clear()

    assert ("own", "own/") == (watched.name, watched.name_scope.name)
    assert "__dict__" not in seen


def test_functions_may_run_in_the_name_scope_of_the_module() -> None:
    """M6, M7: variables that a function makes at its first call belong to the module."""

    class Lazy(tf.Module):
        lazy: Any = None

        @tf.function
        @tf.Module.with_name_scope
        def __call__(self, x: Any) -> Any:
            if self.lazy is None:
                self.lazy = V(2.0, name="lazy")
            return x * self.lazy

    module = Lazy("fm")

    assert () == module.variables
    assert 6.0 == float(module(tf.constant(3.0)))
    assert ("fm/lazy:0", 1) == (module.lazy.name, len(module.variables))


def test_modules_are_arguments_by_identity() -> None:
    """M11."""

    @tf.function
    def weight(module: Any) -> Any:
        return module.w + 1.0

    one, two = Leaf(1), Leaf(2)

    assert [2.0, 3.0, 2.0] == [float(weight(module)) for module in (one, two, one)]
    assert 2 == weight.experimental_get_tracing_count()


def test_attributes_may_be_ignored() -> None:
    class Private(tf.Module):
        _TF_MODULE_IGNORED_PROPERTIES = tf.Module._TF_MODULE_IGNORED_PROPERTIES | {"hidden"}

        def __init__(self) -> None:
            super().__init__()
            self.hidden, self.seen = V(1.0, name="h"), V(1.0, name="s")

    assert "s" == names(Private().variables)


def test_libraries_that_walk_over_attributes_see_no_books() -> None:
    module = tf.Module()
    module._track_trackable(V(1.0), "child")
    module.w = V(2.0)

    seen = vars(module).keys() - module._TF_MODULE_IGNORED_PROPERTIES
    assert {"w"} == seen


def test_functions_of_a_module_are_copied_with_it() -> None:
    class Scaled(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.w = V(2.0)
            self.step = tf.function(self.scale)

        def scale(self, x: Any) -> Any:
            return x * self.w

    one = Scaled()
    assert 2.0 == float(one.step(tf.constant(1.0)))
    other = copy.deepcopy(one)
    other.w.assign(5.0)

    assert (2.0, 5.0) == tuple(float(m.step(tf.constant(1.0))) for m in (one, other))


def test_a_copy_has_variables_of_its_own() -> None:
    tree = Tree()
    other = copy.deepcopy(tree)
    other.z.assign(7.0)

    assert (1.0, 7.0) == (float(tree.z), float(other.z))
    assert other.shared is other.z


def test_repr_names_the_variables() -> None:
    """M8, better: TensorFlow's says the class and an address."""
    leaf = Leaf(1)

    assert "<Leaf 'leaf': w[]>" == repr(leaf)
    assert "<Module 'module': no variables>" == repr(tf.Module())


def test_modules_are_keys() -> None:
    """M7."""
    leaf = Leaf(1)

    assert "found" == {leaf: "found"}[leaf]


def test_a_set_of_variables_is_not_tracked_and_says_so() -> None:
    module = tf.Module()
    module.refs = {V(1.0).ref()}

    with pytest.warns(UserWarning, match="attribute refs .* not tracked.*use a list"):
        assert () == module.variables


def test_paths_lead_to_variables() -> None:
    paths = [
        path for path, _ in Tree()._flatten(predicate=lambda x: isinstance(x, V), with_path=True)
    ]

    assert ("items", 2, "b") in paths
    assert ("pair", 1, "y", "w") in paths


def test_trackable_attributes_are_children() -> None:
    owner: Any = AutoTrackable()
    owner.v, owner.number, owner.items = V(1.0), 3, [V(2.0)]
    owner._track_trackable(V(3.0), "extra")

    assert ["v", "items", "extra"] == list(owner._trackable_children())
    with pytest.raises(ValueError, match="a child called 'extra' already"):
        owner._track_trackable(V(4.0), "extra")
    assert not is_trackable(3)
    assert isinstance(owner, Trackable)


def test_attributes_can_be_kept_out() -> None:
    class Owner(AutoTrackable):
        @no_automatic_dependency_tracking
        def hide(self) -> None:
            self.hidden = V(1.0)

    owner = Owner()
    owner.hide()
    assert {} == owner._trackable_children()
    owner.hidden = owner.hidden
    assert ["hidden"] == list(owner._trackable_children())


def test_dir_does_not_show_how_attributes_are_tracked() -> None:
    """Keras walks over what `dir` names, and takes each object that it meets for loaded."""
    module = tf.Module()
    module._track_trackable(tf.Module(), "child")
    module.untracked = NoDependency([])

    assert "untracked" in dir(module)
    assert [] == [name for name in dir(module) if name.startswith("_self_")]


def test_attributes_of_users_may_begin_as_those_of_the_library_do(tmp_path: Path) -> None:
    class Layer(tf.Module):
        def __init__(self, value: float) -> None:
            super().__init__()
            self._self_attention = tf.Variable(value)

    tf.train.Checkpoint(layer=Layer(3.0)).write(str(tmp_path / "layer"))
    layer = Layer(0.0)
    tf.train.Checkpoint(layer=layer).restore(str(tmp_path / "layer")).assert_consumed()

    assert [3.0] == [one.numpy() for one in layer.variables]
    assert "_self_attention" in dir(layer)
    assert not any(name.startswith("_self_") for name in dir(tf.Module()))


# Sonnet refuses modules without this attribute.
def test_a_scope_is_made_where_the_initializer_is_called() -> None:
    class Forgetful(tf.Module):
        def __init__(self) -> None:
            pass

        @tf.Module.with_name_scope
        def scoped(self) -> str:
            return tf.Variable(1.0, name="w").name

    forgetful = Forgetful()

    assert "forgetful/w:0" == forgetful.scoped() == forgetful.scoped()
    assert ("forgetful", False) == (forgetful.name, hasattr(forgetful, "_name_scope"))
    assert hasattr(tf.Module(), "_name_scope")
