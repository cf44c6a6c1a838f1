"""`tf.fingerprint`: eight bytes that tell rows apart."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.shapes import TensorShape
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ..bind import bind
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..math.cast import bitcast
from ..op import ANY, In, Op, Out
from .hashes import fingerprint as farmhash64
from .hashes import hashes
from .spans.hashes import FarmHashes
from .spans.spans import Spans


class FingerprintOp(Op, tf_name="Fingerprint"):
    """FarmHash's fingerprint of the bytes of each row; of texts, of their fingerprints."""

    data = In("T n *s")
    method = In("str")
    fingerprint = Out("u8 n 8")
    T = ANY
    differentiable = False

    def demands(self, sizes: Any) -> None:
        shape = sizes.shape(self.data)
        sizes.require(len(shape) > 0, InvalidArgumentError, "`data` should have at least one axis")

    def infer(self) -> TensorSpec:
        rows = self.data.spec.shape[:1] if self.data.spec.shape.rank else TensorShape([None])
        return TensorSpec(rows.concatenate([8]), dtypes.uint8)

    def eager(self, np: Any) -> Any:
        method = bytes(self.method[()])
        if method != b"farmhash64":
            raise InvalidArgumentError(
                f"Unsupported fingerprint method: {method.decode(errors='replace')}; "
                f"the only one is farmhash64"
            )
        data = self.data
        if data.dtype.kind == "O" and data.size == len(data):
            return _bytes_of(np, hashes(farmhash64, data.reshape(-1).tolist()))
        if data.dtype.kind == "O":
            each = hashes(farmhash64, data.reshape(-1).tolist())
            data = each.reshape(data.shape)
        rows = [np.ascontiguousarray(row).tobytes() for row in data]
        return _bytes_of(np, hashes(farmhash64, rows))

    def on_spans(self) -> Any:
        method = self.method.constant
        if method is None or method.item() != b"farmhash64":
            return NotImplemented
        if not isinstance(self.data, Spans) or self.data.shape.rank != 1:
            return NotImplemented
        return bitcast(bind(FarmHashes, *self.data.parts), dtypes.uint8)


def _bytes_of(np: Any, prints: Any) -> Any:
    return prints.astype("<u8").view(np.uint8).reshape(len(prints), 8)


@dispatchable
def fingerprint(data: Any, method: str = "farmhash64", name: str | None = None) -> Any:
    """Eight bytes for each row of `data`: equal rows have equal ones, others hardly ever.

    data: [n, ...] of any dtype. The result is uint8 [n, 8]: FarmHash's 64-bit fingerprint of the
    row's bytes, little endian; of rows of several texts, that of the texts' fingerprints. It is
    the same on every machine.

    >>> tf.fingerprint(["apple", "pear"]).numpy()
    array([[ 25, 223, 138,  25,  68, 137, 121,  89],
           [198,   4, 183, 122, 108, 135, 152, 206]], dtype=uint8)

    Raises:
        InvalidArgumentError: `data` is a scalar, or `method` is not "farmhash64".
    """
    return bind(FingerprintOp, as_tensor(data), as_tensor(method, dtypes.string), name=name)
