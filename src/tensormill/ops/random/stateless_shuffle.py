"""`tf.random.experimental.stateless_shuffle`: rows in an order that two seeds determine."""

from __future__ import annotations

from typing import Any

from ...core.specs import TensorSpec
from ..bind import bind
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..op import ANY, In, Op, Out
from ..underivable import no_derivative
from .algorithms import require_philox
from .philox import WordStream, split
from .shuffling import compiled_start, lowered_order, order_in_xla, shuffle_order
from .streams import StatelessRandomGetKeyCounter


class StatelessShuffle(Op):
    """The slices along the first axis, in the order that the stream of a key tells."""

    value = In("T ...")
    key = In("u64 one")
    counter = In("u64 two")
    alg = In("i32")
    output = Out("T ...")
    T = ANY
    vjp = no_derivative

    def infer(self) -> TensorSpec:
        return TensorSpec(self.value.shape, self.value.dtype)

    def eager(self, np: Any) -> Any:
        if not self.value.ndim:
            return self.value
        start, high = (int(word) for word in self.counter)
        stream = WordStream(split(int(self.key[0])), split(high))
        return self.value[shuffle_order((stream, start), len(self.value))]

    def lower(self, loops: Any) -> Any:
        x = self.value
        if not x.rank:
            return x
        order = lowered_order(loops, x.shape[0], *compiled_start(loops, self))
        return loops.view(x.shape, x.dtype, lambda row, *rest: x[(order[(row,)], *rest)])

    def xla(self, xla: Any) -> Any:
        x = self.value
        return x[order_in_xla(xla, x.shape[0], *compiled_start(xla, self))] if x.ndim else x


@dispatchable
def stateless_shuffle(
    value: Any, seed: Any, alg: Any = "auto_select", name: str | None = None
) -> Any:
    """The slices of `value` along its first axis, in an order that `seed` determines.

    value: any dtype and shape; a scalar stays as it is. seed: two integers. alg: "philox" or
    "auto_select", which is the same.

    >>> tf.random.experimental.stateless_shuffle(tf.range(5), seed=[1, 2]).numpy()
    array([0, 2, 1, 4, 3], dtype=int32)

    Raises:
        InvalidArgumentError: `seed` has not two integers, or another algorithm.
    """
    require_philox(alg)
    key, counter = bind(StatelessRandomGetKeyCounter, as_tensor(seed))
    return bind(StatelessShuffle, as_tensor(value), key, counter, as_tensor(1), name=name)
