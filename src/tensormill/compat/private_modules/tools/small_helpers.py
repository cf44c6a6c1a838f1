"""Functions of one use that programs take from private modules, each of another one."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ....autodiff.custom import custom_gradient
from ....core import dtypes
from ....core.shapes import TensorShape
from ....core.specs import ResourceSpec
from ....core.tree import flatten, map_structure
from ....eager.scopes import control_dependencies
from ....ops.array.distinct import unique
from ....ops.array.fill import ones, zeros
from ....ops.array.fill import ones_like as plain_ones
from ....ops.array.fill import zeros_like as plain_zeros
from ....ops.array.shapes import shape_of, size
from ....ops.checks.assertions import assert_positive
from ....ops.control.flow import identity
from ....ops.conversion import as_tensor
from ....ops.math.segments import unsorted_segment_sum
from ....ops.sparse.sparse_tensor import SparseTensor

# ---------------------------------------------------------------- ops.custom_gradient


def graph_mode_decorator(f: Any, args: Any, kwargs: Any) -> Any:
    """`f(*args)`, whose gradient `f` gives beside the result: `tf.custom_gradient` in graphs.

    Raises:
        ValueError: there are keywords, which it does not take.
        TypeError: `f` does not return a pair.
    """
    if kwargs:
        raise ValueError(
            f"a custom gradient in a graph takes no keyword arguments, got {sorted(kwargs)}: "
            "close over them"
        )
    return custom_gradient(f)(*args)


# ---------------------------------------------------------------- util.lock_util


class GroupLock:
    """A lock that members of one group may have together."""

    def __init__(self, num_groups: int = 2) -> None:
        if num_groups < 1:
            raise ValueError(
                "Argument `num_groups` must be a positive integer. Received: "
                f"num_groups={num_groups}"
            )
        self._changed = threading.Condition()
        self._members = [0] * num_groups

    @contextmanager
    def group(self, group_id: int) -> Iterator[None]:
        """Have the lock for this group within a `with` block."""
        self.acquire(group_id)
        try:
            yield
        finally:
            self.release(group_id)

    def acquire(self, group_id: int) -> None:
        """Wait until no other group has the lock, and have it."""
        self._check(group_id)
        with self._changed:
            self._changed.wait_for(lambda: sum(self._members) == self._members[group_id])
            self._members[group_id] += 1

    def release(self, group_id: int) -> None:
        """Have it no more."""
        self._check(group_id)
        with self._changed:
            self._members[group_id] -= 1
            self._changed.notify_all()

    def _check(self, group_id: int) -> None:
        if not 0 <= group_id < len(self._members):
            raise ValueError(
                "Argument `group_id` should verify `0 <= group_id < num_groups` (with "
                f"`num_groups={len(self._members)}`). Received: group_id={group_id}"
            )


# ---------------------------------------------------------------- util.keras_deps


class _Hooks:
    """Functions that Keras leaves for others, by what they are for."""

    def __init__(self) -> None:
        self._kept: dict[str, Any] = {}

    def registering(self, word: str) -> Callable[[Any], None]:
        return lambda func: self._kept.update({word: func})

    def getting(self, word: str) -> Callable[[], Any]:
        return lambda: self._kept.get(word)


_hooks = _Hooks()
register_call_context_function = _hooks.registering("call_context")
register_clear_session_function = _hooks.registering("clear_session")
register_get_session_function = _hooks.registering("get_session")
register_load_model_function = _hooks.registering("load_model")
get_call_context_function = _hooks.getting("call_context")
get_clear_session_function = _hooks.getting("clear_session")
get_get_session_function = _hooks.getting("get_session")
get_load_model_function = _hooks.getting("load_model")


# ---------------------------------------------------------------- platform


def nothing_to_check(*facts: Any) -> None:
    """TensorFlow looks for libraries of Windows here, or tells who made it what is used."""


def is_remote_path(path: Any) -> bool:
    """False, as in TensorFlow outside of the place where it was made."""
    return False


def default_protocol() -> str:
    """How TensorFlow's servers talk."""
    return "grpc"


# ---------------------------------------------------------------- ops.image_ops_impl


def check_3d_image(image: Any, require_static: bool = True) -> list[Any]:
    """What is to be checked of the sizes of an image.

    Raises:
        ValueError: it has not three axes, or none of some size; or sizes are unknown and have to be
            known.
    """
    shape = as_tensor(image).shape
    if shape.rank not in (3, None):
        raise ValueError(f"'image' (shape {shape}) must be three-dimensional.")
    if 0 in (shape.entries or ()):
        raise ValueError(f"all dims of 'image.shape' must be > 0: {shape}")
    return _checks(image, shape, require_static, 0)


def check_at_least_3d_image(image: Any, require_static: bool = True) -> list[Any]:
    """What is to be checked of the last three sizes of images.

    Raises:
        ValueError: they have fewer axes, or none of some size; or sizes are unknown and have to be
            known.
    """
    shape = as_tensor(image).shape
    if shape.rank is not None and shape.rank < 3:
        raise ValueError(f"'image' (shape {shape}) must be at least three-dimensional.")
    if 0 in (shape.entries or ())[-3:]:
        raise ValueError(f"inner 3 dims of 'image.shape' must be > 0: {shape}")
    return _checks(image, shape, require_static, -3)


def assert_at_least_3d_image(image: Any) -> Any:
    """The image, whose last three sizes are checked.

    Raises:
        ValueError: it has fewer axes, or none of some size.
    """
    return _checked(as_tensor(image), check_at_least_3d_image)


def assert_3d_image(image: Any) -> Any:
    """The image, whose sizes are checked.

    Raises:
        ValueError: it has not three axes, or none of some size.
    """
    return _checked(as_tensor(image), check_3d_image)


def _checked(image: Any, check: Callable[[Any, bool], list[Any]]) -> Any:
    checks = [one for one in check(image, False) if one is not None]
    if not checks:
        return image
    with control_dependencies(checks):
        return identity(image)


def image_sizes(image: Any, rank: int) -> list[Any]:
    """The sizes of images: numbers where they are known, else scalar tensors."""
    known, sizes = image.shape, shape_of(image)
    if known.is_fully_defined():
        return known.as_list()
    static = [None] * rank if known.rank is None else known.as_list()
    return [sizes[axis] if size is None else size for axis, size in enumerate(static)]


def with_image_shape(image: Any, result: Any) -> Any:
    """A flipped image, which has the shape of what it was made from."""
    shape = image.shape
    result.set_shape([None] * 3 if shape.rank is None else shape)
    return result


def _checks(image: Any, shape: TensorShape, require_static: bool, first: int) -> list[Any]:
    if shape.is_fully_defined():
        return []
    if require_static:
        raise ValueError(f"'image' (shape {shape}) must be fully defined.")
    return [assert_positive(shape_of(image)[first:], "all dims of 'image.shape' must be > 0.")]


# ---------------------------------------------------------------- ops.nn_ops, framework


def window_sizes(value: Any, n: int, channel_index: int, name: str) -> list[Any]:
    """Numbers for all axes of an image, told for one, for the inner ones, or for all.

    Raises:
        ValueError: there are others.
    """
    if value is None:
        value = [1]
    several = list(value) if hasattr(value, "__len__") else [value]
    if len(several) == n + 2:
        return several
    if len(several) == 1:
        several *= n
    if len(several) != n:
        raise ValueError(
            f"{name} should be of length 1, {n} or {n + 2}. Received: {name}={value} of length "
            f"{len(several)}"
        )
    return [1, *several, 1] if channel_index != 1 else [1, 1, *several]


def node_name(name: str) -> str:
    """The operation that an input of a node names."""
    found = re.fullmatch(r"\^?([^:]*)(:.*)?", name)
    if name.startswith("^"):
        return name[1:]
    return found[1] if found else name


def deduplicate_indexed_slices(values: Any, indices: Any) -> tuple[Any, Any]:
    """The sums of rows of the same index, and these indices."""
    rows, places = unique(indices)
    return unsorted_segment_sum(values, places, size(rows)), rows


# ---------------------------------------------------------------- ops.default_gradient


def shape_and_dtype(t: Any) -> tuple[TensorShape, Any]:
    """Of what a tensor holds, or the variable behind a handle."""
    if t.dtype is not dtypes.resource:
        return t.shape, t.dtype
    spec = t._known.spec if t.symbolic else t._array.spec
    state = spec.state if isinstance(spec, ResourceSpec) else spec
    return state.shape, state.dtype


def zeros_like(t: Any) -> Any:
    """Zeros, for a handle those of its variable."""
    return zeros(*shape_and_dtype(t)) if t.dtype is dtypes.resource else plain_zeros(t)


def ones_like(t: Any) -> Any:
    """Ones, for a handle those of its variable."""
    return ones(*shape_and_dtype(t)) if t.dtype is dtypes.resource else plain_ones(t)


# ---------------------------------------------------------------- data.util.sparse


def any_sparse(classes: Any) -> bool:
    """Whether a class of a structure is SparseTensor."""
    return any(one is SparseTensor for one in flatten(classes))


def get_classes(tensors: Any) -> Any:
    """SparseTensor or Tensor for each component."""
    from ....eager.tensor import Tensor

    return map_structure(
        lambda one: SparseTensor if isinstance(one, SparseTensor) else Tensor, tensors
    )
