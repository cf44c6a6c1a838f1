"""`tf.nn.RNNCell…Wrapper`: cells for `dynamic_rnn` that do something more than their own cell."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any, Final, Self
from zlib import crc32

from ..control.tensor_array import TensorArray
from ..core.dtypes import as_dtype
from ..core.shapes import as_shape
from ..core.tree import (
    assert_same_structure,
    flatten,
    flatten_up_to,
    is_nested,
    map_structure,
    pack_sequence_as,
)
from ..eager.convert import convert_to_tensor
from ..eager.placement import device
from ..eager.scopes import name_scope
from ..module.module import Module
from ..ops.math.division import divide
from ..ops.math.elementwise import floor
from ..ops.nn.bias_and_dropout import dropout
from ..ops.random.uniform_and_normal import uniform

OF_STATES: Final = ("c", "h")  # the parts of what TensorFlow calls an LSTMStateTuple


class CellWrapper(Module):
    """A cell around another one."""

    cell: Any

    def __init__(self, cell: Any, name: str | None = None) -> None:
        for wanted in ("call", "state_size", "output_size"):
            if not hasattr(cell, wanted):
                raise AttributeError(
                    f"{type(cell).__name__!r} object has no attribute {wanted!r}: a cell is wanted"
                )
        super().__init__(name=name)
        self.cell = cell
        self.built = False

    @property
    def state_size(self) -> Any:
        """The sizes of states, without the batch."""
        return self.cell.state_size

    @property
    def output_size(self) -> Any:
        """The sizes of outputs, without the batch."""
        return self.cell.output_size

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """A state of zeros, as the cell makes it."""
        return self.cell.zero_state(batch_size, dtype)

    def get_initial_state(
        self, inputs: Any = None, batch_size: Any = None, dtype: Any = None
    ) -> Any:
        """The state to begin with, for `inputs` or for a batch of this size.

        Raises:
            ValueError: neither says how large a batch is, or of what dtype.
        """
        if inputs is not None:
            inputs = convert_to_tensor(inputs)
            batch_size, dtype = inputs.shape[0], inputs.dtype
        if batch_size is None or dtype is None:
            raise ValueError(
                "batch_size and dtype cannot be None while constructing initial state: "
                f"batch_size={batch_size}, dtype={dtype}"
            )
        own = getattr(self.cell, "get_initial_state", None)
        if own is None:
            return self.cell.zero_state(batch_size, dtype)
        return own(batch_size=batch_size, dtype=dtype)

    def build(self, inputs_shape: Any) -> None:
        """Make the variables of the cell, for inputs of this shape."""
        if hasattr(self.cell, "build") and not getattr(self.cell, "built", False):
            self.cell.build(inputs_shape)
        self.built = True

    def get_config(self) -> dict[str, Any]:
        """What the wrapper was made with."""
        cell = {"class_name": type(self.cell).__name__, "config": self.cell.get_config()}
        return {"name": self.name, "cell": cell}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Self:
        """The wrapper that `get_config` told of. custom_objects: classes of cells, by name.

        Raises:
            ValueError: there is no such class.
        """
        layers = getattr(sys.modules.get("keras"), "layers", None)
        given, told = dict(config), config["cell"]
        found = (custom_objects or {}).get(told["class_name"])
        found = found or getattr(layers, told["class_name"], None)
        if found is None:
            raise ValueError(f"there is no cell called {told['class_name']}: see custom_objects")
        return cls(found.from_config(told["config"]), **{k: given[k] for k in given if k != "cell"})

    def __call__(self, inputs: Any, state: Any, **kwargs: Any) -> tuple[Any, Any]:
        """The outputs and the next state."""
        if not self.built:
            self.build(map_structure(lambda one: tuple(convert_to_tensor(one).shape), inputs))
        return self.call(inputs, state, **kwargs)

    def call(self, inputs: Any, state: Any, **kwargs: Any) -> tuple[Any, Any]:
        """The outputs and the next state, of a cell that is built."""
        return self.cell.call(inputs, state, **kwargs)


class RNNCellDeviceWrapper(CellWrapper):
    """A cell whose operations are placed on a device.

    cell: has `call`, `state_size`, `output_size` and `zero_state` or `get_initial_state`, as those
    of tf.keras.layers. device: its name.

    >>> class Adding:
    ...     state_size = output_size = 3
    ...     zero_state = staticmethod(lambda batch_size, dtype: [tf.zeros([batch_size, 3], dtype)])
    ...
    ...     def call(self, inputs, state):
    ...         return inputs + state[0], state
    >>> cell = tf.nn.RNNCellDeviceWrapper(Adding(), device="CPU:0")
    >>> outputs, state = cell(tf.ones([2, 3]), [tf.zeros([2, 3])])
    >>> outputs.shape
    TensorShape([2, 3])

    Raises:
        AttributeError: it is no cell.
    """

    def __init__(self, cell: Any, device: str, **kwargs: Any) -> None:
        super().__init__(cell, **kwargs)
        self._device = device

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """A state of zeros on the device, as the cell makes it."""
        with name_scope(f"{type(self).__name__}ZeroState"), device(self._device):
            return super().zero_state(batch_size, dtype)

    def call(self, inputs: Any, state: Any, **kwargs: Any) -> tuple[Any, Any]:
        """The outputs and the next state."""
        with device(self._device):
            return super().call(inputs, state, **kwargs)

    def get_config(self) -> dict[str, Any]:
        """What the wrapper was made with."""
        return {**super().get_config(), "device": self._device}


class RNNCellResidualWrapper(CellWrapper):
    """A cell to whose outputs its inputs are added.

    cell: as that of `RNNCellDeviceWrapper`. residual_fn: what becomes of inputs and outputs, in
    place of their sum.

    >>> class Adding:
    ...     state_size = output_size = 3
    ...     zero_state = staticmethod(lambda batch_size, dtype: [tf.zeros([batch_size, 3], dtype)])
    ...
    ...     def call(self, inputs, state):
    ...         return inputs + state[0], state
    >>> cell = tf.nn.RNNCellResidualWrapper(Adding())
    >>> outputs, state = cell(tf.ones([2, 3]), [tf.zeros([2, 3])])
    >>> outputs.shape
    TensorShape([2, 3])

    Raises:
        AttributeError: it is no cell.
        ValueError: outputs have other shapes than inputs.
    """

    def __init__(
        self, cell: Any, residual_fn: Callable[[Any, Any], Any] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(cell, **kwargs)
        self._residual_fn = residual_fn

    def call(self, inputs: Any, state: Any, **kwargs: Any) -> tuple[Any, Any]:
        """The outputs and the next state."""
        outputs, next_state = super().call(inputs, state, **kwargs)
        return (self._residual_fn or _summed)(inputs, outputs), next_state


def _summed(inputs: Any, outputs: Any) -> Any:
    def added(one: Any, other: Any) -> Any:
        one, other = convert_to_tensor(one), convert_to_tensor(other)
        one.shape.assert_is_compatible_with(other.shape)
        return one + other

    assert_same_structure(inputs, outputs)
    return map_structure(added, inputs, outputs)


class RNNCellDropoutWrapper(CellWrapper):
    """A cell of whose inputs, states and outputs elements are dropped, each with a chance.

    cell: as that of `RNNCellDeviceWrapper`.
    input_keep_prob, output_keep_prob, state_keep_prob: how likely elements stay; those that do are
    divided by it. variational_recurrent: the same elements are dropped at every step, and in all
    examples of a batch; `dtype` is wanted then, and for inputs `input_size`. seed: an int.
    dropout_state_filter_visitor: says of a state whether elements of it are dropped: True, False,
    or a structure of these, and then of the parts that are; without it all are but the first of an
    LSTMStateTuple.

    >>> class Adding:
    ...     state_size = output_size = 3
    ...     zero_state = staticmethod(lambda batch_size, dtype: [tf.zeros([batch_size, 3], dtype)])
    ...
    ...     def call(self, inputs, state):
    ...         return inputs + state[0], state
    >>> cell = tf.nn.RNNCellDropoutWrapper(Adding(), output_keep_prob=0.5)
    >>> outputs, state = cell(tf.ones([2, 3]), [tf.zeros([2, 3])])
    >>> outputs.shape
    TensorShape([2, 3])

    Raises:
        AttributeError: it is no cell.
        ValueError: a chance is not between 0 and 1, or what `variational_recurrent` wants is not
            there.
        TypeError: `dropout_state_filter_visitor` is no function.
    """

    def __init__(
        self, cell: Any, input_keep_prob: Any = 1.0, output_keep_prob: Any = 1.0,
        state_keep_prob: Any = 1.0, variational_recurrent: bool = False, input_size: Any = None,
        dtype: Any = None, seed: int | None = None,
        dropout_state_filter_visitor: Callable[[Any], Any] | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(cell, **kwargs)
        if not callable(dropout_state_filter_visitor or _may_be_dropped):
            raise TypeError("dropout_state_filter_visitor must be callable")
        self._filter = dropout_state_filter_visitor or _may_be_dropped
        self._seed, self._variational, self._input_size = seed, variational_recurrent, input_size
        self._chances = {
            "input": _chance("input_keep_prob", input_keep_prob),
            "state": _chance("state_keep_prob", state_keep_prob),
            "output": _chance("output_keep_prob", output_keep_prob),
        }
        self._noise = self._drawn(dtype) if variational_recurrent else {}

    def _drawn(self, dtype: Any) -> dict[str, list[Any]]:
        """Random numbers for each element of what may be dropped, at every step."""
        if dtype is None:
            raise ValueError("When variational_recurrent=True, dtype must be provided")
        if self._input_size is None and _drops(self._chances["input"]):
            raise ValueError(
                "When variational_recurrent=True and input_keep_prob < 1.0 or is unknown, "
                "input_size must be provided"
            )
        sizes = {
            "input": self._input_size, "state": self.cell.state_size,
            "output": self.cell.output_size,
        }  # fmt: skip
        kind = as_dtype(dtype)
        return {
            what: [
                uniform(
                    [1, *as_shape(_listed(size)).as_list()],
                    dtype=kind,
                    seed=self._salted(what, index),
                )
                for index, size in enumerate(_sizes(sizes[what]))
            ]
            for what, chance in self._chances.items()
            if _drops(chance)
        }

    def call(self, inputs: Any, state: Any, **kwargs: Any) -> tuple[Any, Any]:
        """The outputs and the next state."""
        inputs = self._dropped("input", inputs)
        outputs, next_state = super().call(inputs, state, **kwargs)
        if _drops(self._chances["state"]):
            next_state = self._dropped("state", next_state, self._filter)
        return self._dropped("output", outputs), next_state

    def _dropped(self, what: str, values: Any, visit: Any = None) -> Any:
        chance = self._chances[what]
        if not _drops(chance):
            return values
        leaves = flatten(values)
        noises = self._noise.get(what) or [None] * len(leaves)
        marks = [True] * len(leaves) if visit is None else _marks(visit, values)
        kept = [
            self._thinned(one, chance, noise, self._salted(what, index))
            if mark and not isinstance(one, TensorArray)
            else one
            for index, (one, noise, mark) in enumerate(zip(leaves, noises, marks, strict=True))
        ]
        return pack_sequence_as(values, kept)

    def _salted(self, what: str, index: int) -> int | None:
        """A seed for one tensor, so that not all of them lose the same elements."""
        return None if self._seed is None else crc32(f"{self._seed} {what} {index}".encode()) >> 1

    def _thinned(self, one: Any, chance: Any, noise: Any, seed: int | None) -> Any:
        if noise is None:
            return dropout(one, 1.0 - chance, seed=seed)
        return divide(convert_to_tensor(one), chance) * floor(noise + chance)

    def get_config(self) -> dict[str, Any]:
        """What the wrapper was made with."""
        chances = {f"{what}_keep_prob": chance for what, chance in self._chances.items()}
        return {
            **super().get_config(), **chances, "variational_recurrent": self._variational,
            "input_size": self._input_size, "seed": self._seed,
        }  # fmt: skip


def _marks(visit: Callable[[Any], Any], values: Any) -> list[bool]:
    """For each tensor of `values` whether `visit` lets go down to it.

    Raises:
        TypeError: it tells a structure of what is none.
    """
    told = visit(values)
    if not is_nested(values):
        if is_nested(told):
            raise TypeError(f"dropout_state_filter_visitor gave {told!r} for a tensor")
        return [bool(told)]
    if not is_nested(told):
        return [bool(told) and mark for mark in _below(visit, values)]
    parts = flatten_up_to(told, values)
    found: list[bool] = []
    for wanted, part in zip(flatten(told), parts, strict=True):
        found += _marks(visit, part) if wanted else [False] * len(flatten(part))
    return found


def _below(visit: Callable[[Any], Any], values: Any) -> list[bool]:
    rows = values.values() if isinstance(values, Mapping) else values
    return [mark for one in rows for mark in _marks(visit, one)]


def _sizes(nest: Any) -> list[Any]:
    """Each of the sizes of states; a TensorShape is one."""
    return [nest] if hasattr(nest, "as_list") else flatten(nest)


def _listed(size: Any) -> Any:
    return [size] if isinstance(size, int) else size


def _drops(chance: Any) -> bool:
    """Whether anything may be dropped: a tensor is known when functions run."""
    return not isinstance(chance, float) or chance < 1.0


def _chance(name: str, given: Any) -> Any:
    """A number in [0, 1] as a float; a tensor as it is.

    Raises:
        ValueError: it is not there.
    """
    if hasattr(given, "dtype") and hasattr(given, "shape"):
        return given
    if not 0.0 <= given <= 1.0:
        raise ValueError(f"Parameter {name} must be between 0 and 1: {given}")
    return float(given)


def _may_be_dropped(state: Any) -> Any:
    """Which parts of a state elements are dropped of: what a long memory holds stays."""
    if getattr(state, "_fields", None) == OF_STATES:
        return type(state)(False, True)
    return not isinstance(state, TensorArray)
