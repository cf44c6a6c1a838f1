"""Functions of batches as operations: calls of several threads are joined, and run as one."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final
from weakref import WeakKeyDictionary

from .. import backends
from ..control.joined_calls import CallJoiner, run_sizes
from ..core.dtypes import as_dtype
from ..core.process.locks import AwaitedLock
from ..core.shapes import TensorShape
from ..core.specs import TensorSpec, ValueSpec
from ..errors import InternalError, InvalidArgumentError
from ..graph.devices import require_devices
from ..graph.payload import payload_of, wrap_payload
from ..ops.control.functional import GivenGraphs
from ..ops.effects import World
from ..ops.op import Attr, In, Out
from ..ops.underivable import no_derivative

Found = Callable[[Any, Sequence[ValueSpec] | None], Any]

_lock: Final = AwaitedLock(is_short=True)
# Of each function, by how its calls are joined.
_joiners: Final[WeakKeyDictionary[Any, dict[Any, CallJoiner]]] = WeakKeyDictionary()
# Of names that functions of several graphs share, which are kept as TensorFlow keeps them.
_named: Final[dict[Any, CallJoiner]] = {}


class BatchFunction(GivenGraphs):
    """The rows of a function's results that belong to these rows, among those of other calls."""

    in_tensors = In("[Tin]")
    captured_tensors = In("[Tcaptured]")
    out_tensors = Out("[Tout]")
    f = Attr()
    num_batch_threads = Attr(int)
    max_batch_size = Attr(int)
    batch_timeout_micros = Attr(int)
    Tout = Attr()
    max_enqueued_batches = Attr(10)
    allowed_batch_sizes = Attr((), of=list[int])
    container = Attr("")
    shared_name = Attr("")
    batching_queue = Attr("")
    low_priority_max_batch_size = Attr(0)
    low_priority_batch_timeout_micros = Attr(0)
    low_priority_allowed_batch_sizes = Attr((), of=list[int])
    low_priority_max_enqueued_batches = Attr(0)
    mixed_priority_policy = Attr(
        "low_priority_padding_with_max_batch_size",
        "low_priority_padding_with_max_batch_size "
        "low_priority_padding_with_next_allowed_batch_size priority_isolation priority_merge",
    )
    batch_padding_policy = Attr("PAD_UP", "PAD_UP BATCH_DOWN MINIMIZE_TPU_COST_PER_REQUEST")
    enable_large_batch_splitting = Attr(False)
    graph_attrs = ("f",)
    effects = (World.PYTHON,)
    vjp = no_derivative

    @classmethod
    def graphs_for(
        cls, attrs: Mapping[str, Any], operands: Sequence[Any], found: Found
    ) -> dict[str, Any]:
        rows, captured = operands
        given = [one._known.spec for one in (*rows, *captured)]
        return {
            "f": found(attrs["f"], [*map(_of_any_count, given[: len(rows)]), *given[len(rows) :]])
        }

    def infer(self) -> tuple[ValueSpec, ...]:
        return tuple(TensorSpec(None, as_dtype(one)) for one in self.Tout)

    def eager(self, np: Any) -> tuple[Any, ...]:
        _require_fit(self)
        return tuple(_joiner(self)(*self.in_tensors, captured=self.captured_tensors))


def _of_any_count(spec: ValueSpec) -> ValueSpec:
    if not isinstance(spec, TensorSpec) or not spec.shape.rank:
        return spec
    return TensorSpec(TensorShape([None]).concatenate(spec.shape[1:]), spec.dtype)


def _require_fit(op: Any) -> None:
    if not op.in_tensors or not op.Tout:
        raise InvalidArgumentError(f"{op.name}: a tensor and a result at least are wanted")
    given, taken = len(op.in_tensors) + len(op.captured_tensors), len(op.f.parameters)
    if given != taken:
        raise InvalidArgumentError(
            f"{op.name}: the function takes {taken} tensors, but {given} were passed"
        )
    if len(op.f.returns) != len(op.Tout):
        raise InternalError(
            f"{op.name}: Wrong number of batched output tensors: the function returns "
            f"{len(op.f.returns)}, and Tout says {len(op.Tout)}"
        )
    for one, dtype in zip(op.f.returns, op.Tout, strict=True):
        if one.spec.dtype is not as_dtype(dtype):
            raise InvalidArgumentError(
                f"{op.name}: Type mismatch: actual {one.spec.dtype.name} vs. expect "
                f"{as_dtype(dtype).name}"
            )
    for name, least in (("max_batch_size", 1), ("batch_timeout_micros", 0)):
        if getattr(op, name) < least:
            raise InvalidArgumentError(
                f"{op.name}: {name} must be at least {least}, not {getattr(op, name)}"
            )


def _joiner(op: Any) -> CallJoiner:
    """What joins the calls of this function that are to be joined in this way."""
    key = (
        op.container, op.shared_name, op.batching_queue, op.num_batch_threads, op.max_batch_size,
        op.batch_timeout_micros, op.max_enqueued_batches, tuple(op.allowed_batch_sizes),
        op.enable_large_batch_splitting,
    )  # fmt: skip
    with _lock():
        known: dict[Any, CallJoiner] = _joiners.setdefault(op.f, {})
        if op.shared_name:
            specs = tuple([one.spec for one in (*op.f.parameters, *op.f.returns)])
            known, key = _named, (*key, op.f.name, specs)
        if key not in known:
            known[key] = _new_joiner(op)
        return known[key]


def _new_joiner(op: Any) -> CallJoiner:
    splits = op.enable_large_batch_splitting
    sizes = run_sizes(op.allowed_batch_sizes, op.max_batch_size, splits)
    own_graph = replace(op.f)  # joiners are forgotten with the function, so they do not hold it
    bound = backends.default().compile(require_devices(own_graph)).bind(())

    def compute(*payloads: Any) -> list[Any]:
        return [payload_of(one) for one in bound(*map(wrap_payload, payloads))]

    return CallJoiner(
        compute, op.num_batch_threads, sizes, op.max_batch_size, op.batch_timeout_micros,
        op.max_enqueued_batches,
    )  # fmt: skip
