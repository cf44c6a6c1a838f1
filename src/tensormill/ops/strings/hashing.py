"""Strings as numbers of buckets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core import dtypes
from ...core.native_operations import TEXTS
from ...errors import InvalidArgumentError
from ..bind import bind
from ..conversion import as_tensor
from ..demands import refuse
from ..dispatch.meanings import dispatchable
from ..math.cast import cast
from ..math.division import floormod
from ..op import Attr, In, Op, Out
from .hashes import fingerprint, hash64, hashes, siphash
from .spans.hashes import FarmHashes, MurmurHashes, SipHashes


class ToBucket(Op, abstract=True):
    """The number, below `num_buckets`, of a bucket for each string."""

    num_buckets: Any
    ignores_places = True
    differentiable = False
    native_from = TEXTS

    def hashed(self) -> Callable[[Any], Any]:
        raise TypeError(f"{self.name} does not say how it hashes")

    def demands(self, sizes: Any) -> None:
        if self.num_buckets < 1:
            refuse(InvalidArgumentError, NO_BUCKETS, self.num_buckets)

    def eager(self, np: Any) -> Any:
        (texts,) = self.operand_list()
        found = hashes(self.hashed(), texts.reshape(-1).tolist())
        return (found % np.uint64(self.num_buckets)).astype(np.int64).reshape(texts.shape)

    def in_buckets(self, found: Any) -> Any:
        """The same of hashes that compiled functions found."""
        return cast(floormod(found, as_tensor(self.num_buckets, dtypes.uint64)), dtypes.int64)


NO_BUCKETS = "num_buckets must be at least minimum 1, not {}"


class StringToHashBucketFast(ToBucket):
    """By FarmHash's fingerprint: the same everywhere and always."""

    input = In("str *s")
    output = Out("i64 *s")
    num_buckets = Attr(int)

    def hashed(self) -> Callable[[Any], Any]:
        return fingerprint

    def on_spans(self) -> Any:
        return self.in_buckets(bind(FarmHashes, *self.input.parts))


class StringToHashBucket(ToBucket):
    """By the hash that TensorFlow had first."""

    string_tensor = In("str *s")
    output = Out("i64 *s")
    num_buckets = Attr(int)

    def hashed(self) -> Callable[[Any], Any]:
        return hash64

    def on_spans(self) -> Any:
        return self.in_buckets(bind(MurmurHashes, *self.string_tensor.parts))


class StringToHashBucketStrong(ToBucket):
    """By SipHash with a key (two integers): who doesn't know it can't choose buckets."""

    input = In("str *s")
    output = Out("i64 *s")
    num_buckets = Attr(int)
    key = Attr()

    def demands(self, sizes: Any) -> None:
        super().demands(sizes)
        sizes.require_late(len(self.key) == 2, InvalidArgumentError, "Key must have 2 elements")

    def hashed(self) -> Callable[[Any], Any]:
        return lambda text: siphash(text, self.two_words())

    def two_words(self) -> tuple[int, int]:
        return int(self.key[0]), int(self.key[1])

    def on_spans(self) -> Any:
        if len(self.key) != 2:  # which the kernel refuses when it runs
            return NotImplemented
        return self.in_buckets(bind(SipHashes, *self.input.parts, key=self.two_words()))


@dispatchable(elements=1)
def to_hash_bucket_fast(input: Any, num_buckets: int, name: str | None = None) -> Any:
    """The number, below `num_buckets`, of a bucket for each string, int64 (FarmHash).

    input: string [...]; the result has its shape. It is the same on every machine.

    >>> tf.strings.to_hash_bucket_fast(["apple", "pear", "apple"], 10).numpy()
    array([1, 8, 1])

    Raises:
        InvalidArgumentError: num_buckets is below 1.
    """
    text = as_tensor(input, dtypes.string)
    return bind(StringToHashBucketFast, text, num_buckets=num_buckets, name=name)


@dispatchable(elements=1)
def to_hash_bucket(input: Any, num_buckets: int, name: str | None = None) -> Any:
    """The number, below `num_buckets`, of a bucket for each string, int64.

    input: string [...]; the result has its shape. Programs of old use it, and models that they
    trained: `to_hash_bucket_fast` is quicker.

    >>> tf.strings.to_hash_bucket(["apple", "pear", "apple"], 10).numpy()
    array([0, 3, 0])

    Raises:
        InvalidArgumentError: num_buckets is below 1.
    """
    text = as_tensor(input, dtypes.string)
    return bind(StringToHashBucket, text, num_buckets=num_buckets, name=name)


@dispatchable(elements=1)
def to_hash_bucket_strong(input: Any, num_buckets: int, key: Any, name: str | None = None) -> Any:
    """The number, below `num_buckets`, of a bucket for each string, int64 (SipHash with `key`).

    input: string [...]; the result has its shape. key: two integers; who doesn't know them cannot
    tell which strings share a bucket.

    >>> tf.strings.to_hash_bucket_strong(["apple", "pear", "apple"], 10, key=[1, 2]).numpy()
    array([3, 5, 3])

    Raises:
        InvalidArgumentError: num_buckets is below 1, or `key` has not two integers.
    """
    text = as_tensor(input, dtypes.string)
    return bind(StringToHashBucketStrong, text, num_buckets=num_buckets, key=tuple(key), name=name)
