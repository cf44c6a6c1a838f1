"""Random pipelines of datasets: both libraries give the same elements, specs and errors.

    python tests/interop/pipelines.py [FIRST [COUNT]]

Each number is one pipeline, which both make in one process. What differs is printed, with the
calls that made it. Exit code 1: something differs, or ended the process.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from collections import namedtuple
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np

MOST = 40  # elements that are looked at
Pair = namedtuple("Pair", "left right")


class Maker:
    """Draws one pipeline, and makes it of one library; `calls` says what it did."""

    def __init__(self, tf: Any, number: int, folder: str) -> None:
        self.tf, self.random, self.folder = tf, random.Random(number), folder
        self.calls: list[str] = []

    def say(self, text: str) -> None:
        self.calls.append(text)

    def one_of(self, *options: Any) -> Any:
        return self.random.choice(options)

    def number(self, low: int, high: int) -> int:
        return self.random.randint(low, high)

    # Sources

    def leaf(self, count: int) -> Any:
        kind = self.one_of(
            "int64", "int32", "float32", "string", "bool", "ragged", "sparse", "rows"
        )
        tf = self.tf
        numbers = [self.number(0, 9) for _ in range(count)]
        if kind == "string":
            return np.array([b"s" * n for n in numbers], object)
        if kind == "bool":
            return np.array(numbers) > 4
        if kind == "ragged":
            return tf.ragged.constant(
                [list(range(n % 4)) for n in numbers], tf.int32, ragged_rank=1
            )
        if kind == "sparse":
            places = [[k, n % 3] for k, n in enumerate(numbers) if n % 2]
            values = [n for n in numbers if n % 2]
            places = np.array(places, np.int64).reshape(-1, 2)
            return tf.SparseTensor(places, np.array(values, np.int64), [count, 3])
        if kind == "rows":
            return np.arange(count * 2, dtype=np.float32).reshape(count, 2)
        return np.array(numbers, kind)

    def nest(self, count: int) -> Any:
        leaf = lambda: self.leaf(count)  # noqa: E731
        return {
            "one": leaf,
            "tuple": lambda: (leaf(), leaf()),
            "dict": lambda: {"b": leaf(), "a": leaf()},
            "named": lambda: Pair(leaf(), leaf()),
            "deep": lambda: {"x": (leaf(), leaf()), "y": leaf()},
            "single": lambda: (leaf(),),
        }[self.said(self.one_of("one", "one", "tuple", "dict", "named", "deep", "single"))]()

    def said(self, one: Any) -> Any:
        self.say(str(one))
        return one

    def source(self, depth: int = 0) -> Any:
        Dataset = self.tf.data.Dataset
        count = self.number(0, 9)
        kinds = [
            "range",
            "range",
            "slices",
            "slices",
            "slices",
            "tensors",
            "generator",
            "steps",
            "random",
        ]
        if depth < 2:
            kinds += ["zip", "choose", "sample", "zip dict"]
        kind = self.said(self.random.choice(kinds))
        if kind == "range":
            return Dataset.range(self.said(count))
        if kind == "steps":
            low, high, step = self.number(-3, 3), self.number(-6, 12), self.one_of(1, 2, 3, -1, -2)
            dtype = self.said(self.one_of("int64", "int32", "float32", "float64"))
            self.say(f"{low}:{high}:{step}")
            return Dataset.range(low, high, step, output_type=getattr(self.tf, dtype))
        if kind == "slices":
            return Dataset.from_tensor_slices(self.nest(max(count, 1)))
        if kind == "tensors":
            return Dataset.from_tensors(self.nest(max(count, 1)))
        if kind == "random":
            return Dataset.random(seed=count).take(4).map(lambda n: n % 100)
        if kind == "generator":
            spec = self.tf.TensorSpec([None], self.tf.int32), self.tf.TensorSpec([], self.tf.string)
            rows = [([k] * (k % 3), b"g%d" % k) for k in range(count)]
            return Dataset.from_generator(lambda: iter(rows), output_signature=spec)
        parts = [self.pipeline(depth + 1, 1) for _ in range(self.number(1, 3))]
        if kind == "zip":
            return Dataset.zip(*parts)
        if kind == "zip dict":
            return Dataset.zip({f"z{k}": part for k, part in enumerate(parts)})
        parts = [Dataset.range(self.number(0, 6)) for _ in range(3)]
        stop, seed = self.said(self.one_of(True, False)), self.said(self.one_of(1, 7, None))
        if kind == "choose":
            order = Dataset.from_tensor_slices(np.array([0, 1, 2, 1, 1, 0, 2, 2], np.int64))
            return Dataset.choose_from_datasets(parts, order, stop_on_empty_dataset=stop)
        weights = self.said(self.one_of(None, [0.5, 0.25, 0.25], [1.0, 0.0, 2.0]))
        rerandom = self.said(self.one_of(None, True, False))
        return Dataset.sample_from_datasets(
            parts,
            weights,
            seed=seed,
            stop_on_empty_dataset=stop,
            rerandomize_each_iteration=rerandom,
        )

    # Functions of elements

    def score(self, *element: Any) -> Any:
        """A whole number that tells elements apart."""
        tf = self.tf
        total = tf.constant(0, tf.int64)
        for leaf in tf.nest.flatten(element):
            if isinstance(leaf, tf.RaggedTensor):
                leaf = leaf.flat_values
            if isinstance(leaf, tf.SparseTensor):
                leaf = leaf.values
            if not tf.is_tensor(leaf):
                continue
            if leaf.dtype == tf.string:
                leaf = tf.strings.length(leaf)
            total += tf.reduce_sum(tf.cast(leaf, tf.int64))
        return total

    def changed(self, leaf: Any) -> Any:
        tf = self.tf
        if isinstance(leaf, tf.RaggedTensor):
            return leaf.with_flat_values(self.changed(leaf.flat_values))
        if isinstance(leaf, tf.SparseTensor):
            return leaf.with_values(self.changed(leaf.values))
        if not tf.is_tensor(leaf):
            return leaf
        if leaf.dtype == tf.string:
            return leaf + "!"
        if leaf.dtype == tf.bool:
            return ~leaf
        return leaf * 2 + 1

    def function(self) -> Callable[..., Any]:
        tf = self.tf
        kind = self.said(
            self.random.choice(
                "change score dict pair numbered fill list named none ragged sparse branch loop "
                "constant raise numpy".split()
            )
        )
        whole = lambda given: given[0] if len(given) == 1 else given  # noqa: E731

        def branch(*given: Any) -> Any:
            n = self.score(*given)
            return tf.cond(n % 2 == 0, lambda: n // 2, lambda: n * 3)

        def loop(*given: Any) -> Any:
            n = self.score(*given) % 7
            return tf.while_loop(
                lambda i, t: i < n, lambda i, t: (i + 1, t + i), (tf.constant(0, tf.int64),) * 2
            )

        def failing(*given: Any) -> Any:
            n = self.score(*given)
            tf.debugging.assert_less(n, tf.constant(12, tf.int64))
            return n

        return {
            "change": lambda *given: tf.nest.map_structure(self.changed, whole(given)),
            "score": self.score,
            "dict": lambda *given: {"k": self.score(*given), "e": whole(given)},
            "pair": lambda *given: (whole(given), self.score(*given)),
            "numbered": lambda *given: (self.score(*given), 1, "text", 2.5),
            "fill": lambda *given: tf.fill([abs(self.score(*given)) % 4], self.score(*given)),
            "list": lambda *given: [self.score(*given), self.score(*given) + 1],
            "named": lambda *given: Pair(self.score(*given), whole(given)),
            "none": lambda *given: (self.score(*given), None),
            "ragged": lambda *given: tf.ragged.range(tf.stack([abs(self.score(*given)) % 3, 2])),
            "sparse": lambda *given: tf.sparse.from_dense(tf.stack([self.score(*given), 0, 3])),
            "branch": branch,
            "loop": loop,
            "constant": lambda *given: {"c": [1, 2], "s": np.float32(1.5)},
            "raise": failing,
            "numpy": lambda *given: tf.numpy_function(
                lambda n: n + 1, [self.score(*given)], tf.int64
            ),
        }[kind]

    # Transformations

    def small(self, ds: Any) -> Any:
        """A dataset of whole numbers, of the scores of another."""
        return ds.map(self.score)

    def step(self, ds: Any, depth: int) -> Any:
        kind = self.random.choice(STEPS)
        self.say("." + kind)
        return getattr(self, "do_" + kind)(ds, depth)

    def do_map(self, ds: Any, _: int) -> Any:
        calls = self.said(self.one_of(None, None, 2, self.tf.data.AUTOTUNE))
        return ds.map(self.function(), num_parallel_calls=calls)

    def do_filter(self, ds: Any, _: int) -> Any:
        by = self.said(self.one_of(2, 3))
        return ds.filter(lambda *given: self.score(*given) % by != 0)

    def do_flat_map(self, ds: Any, _: int) -> Any:
        Dataset = self.tf.data.Dataset
        if self.said(self.one_of(True, False)):
            return ds.flat_map(lambda *given: Dataset.range(abs(self.score(*given)) % 4))
        return ds.flat_map(
            lambda *given: Dataset.from_tensors(given[0] if len(given) == 1 else given).repeat(2)
        )

    def do_interleave(self, ds: Any, _: int) -> Any:
        Dataset = self.tf.data.Dataset
        cycle, block = self.said(self.one_of(None, 1, 2, 3)), self.said(self.one_of(None, 1, 2))
        calls = self.said(self.one_of(None, 1, 2))
        cycle = 3 if cycle is None else cycle
        few = lambda *given: abs(self.score(*given)) % 4  # noqa: E731
        return ds.interleave(
            lambda *given: Dataset.from_tensors(self.score(*given)).repeat(few(*given)),
            cycle_length=cycle, block_length=block, num_parallel_calls=calls,
            deterministic=self.said(self.one_of(None, True)),
        )  # fmt: skip

    def do_batch(self, ds: Any, _: int) -> Any:
        size = self.said(self.number(1, 4))
        calls = self.said(self.one_of(None, None, 2))
        return ds.batch(
            size, drop_remainder=self.said(self.one_of(True, False)), num_parallel_calls=calls
        )

    def do_ragged_batch(self, ds: Any, _: int) -> Any:
        return ds.ragged_batch(
            self.said(self.number(1, 4)), drop_remainder=self.said(self.one_of(True, False))
        )

    def do_sparse_batch(self, ds: Any, _: int) -> Any:
        size = self.said(self.number(1, 3))
        return ds.apply(self.tf.data.experimental.dense_to_ragged_batch(size))

    def do_padded_batch(self, ds: Any, _: int) -> Any:
        return ds.padded_batch(
            self.said(self.number(1, 4)), drop_remainder=self.said(self.one_of(True, False))
        )

    def do_padded_scores(self, ds: Any, _: int) -> Any:
        tf = self.tf
        rows = ds.map(lambda *given: tf.range(abs(self.score(*given)) % 5))
        shapes, value = (
            self.said(self.one_of(None, [None], [6], [3])),
            self.said(self.one_of(None, -1)),
        )
        value = None if value is None else np.int64(value)
        return rows.padded_batch(self.said(self.number(1, 4)), shapes, value)

    def do_unbatch(self, ds: Any, _: int) -> Any:
        return ds.unbatch()

    def do_rebatch(self, ds: Any, _: int) -> Any:
        size, drop = self.said(self.number(1, 4)), self.said(self.one_of(True, False))
        return ds.batch(3).rebatch(size, drop_remainder=drop)

    def do_rebatch_list(self, ds: Any, _: int) -> Any:
        return ds.batch(4).rebatch([1, 2])

    def do_window(self, ds: Any, _: int) -> Any:
        size, shift = self.said(self.number(1, 4)), self.said(self.one_of(None, 1, 2, 5))
        stride, drop = self.said(self.one_of(1, 2)), self.said(self.one_of(True, False))
        windows = ds.window(size, shift, stride, drop)
        if self.said(self.one_of(True, False)):
            return windows
        return (
            self.small(ds).window(size, shift, stride, drop).flat_map(lambda one: one.batch(size))
        )

    def do_shuffle(self, ds: Any, _: int) -> Any:
        again = self.said(self.one_of(None, True, False))
        return ds.shuffle(
            self.said(self.number(1, 12)), seed=self.said(self.one_of(None, 3, 42)),
            reshuffle_each_iteration=again,
        )  # fmt: skip

    def do_repeat(self, ds: Any, _: int) -> Any:
        count = self.said(self.one_of(None, 0, 1, 2, 3, -1))
        # What comes after an endless one might drop all of it.
        return ds.repeat(count) if count in (0, 1, 2, 3) else ds.take(5).repeat(count).take(9)

    def do_take(self, ds: Any, _: int) -> Any:
        return ds.take(self.said(self.number(-1, 6)))

    def do_skip(self, ds: Any, _: int) -> Any:
        return ds.skip(self.said(self.number(-1, 4)))

    def do_take_while(self, ds: Any, _: int) -> Any:
        most = self.said(self.number(5, 30))
        return ds.take_while(lambda *given: self.score(*given) < most)

    def do_scan(self, ds: Any, _: int) -> Any:
        return ds.scan(
            {"t": np.int64(0)},
            lambda state, *given: ({"t": state["t"] + self.score(*given)}, (state["t"], *given)),
        )

    def do_unique(self, ds: Any, _: int) -> Any:
        return ds.unique() if self.said(self.one_of(True, False)) else self.small(ds).unique()

    def do_concatenate(self, ds: Any, depth: int) -> Any:
        other = self.said(self.one_of("self", "taken", "other"))
        if other == "other":
            return ds.concatenate(self.pipeline(depth + 1, 1))
        return ds.concatenate(ds.take(2) if other == "taken" else ds)

    def do_cache(self, ds: Any, _: int) -> Any:
        return (
            ds.cache(self.folder + "/cache") if self.said(self.one_of(True, False)) else ds.cache()
        )

    def do_enumerate(self, ds: Any, _: int) -> Any:
        return ds.enumerate(self.said(self.one_of(0, 5, -2)))

    def do_group_by_window(self, ds: Any, _: int) -> Any:
        size = self.said(self.number(1, 3))
        return ds.group_by_window(
            lambda *given: self.score(*given) % 3,
            lambda key, group: group.batch(size),
            window_size=size,
        )

    def do_bucket_by_sequence_length(self, ds: Any, _: int) -> Any:
        tf = self.tf
        rows = ds.map(lambda *given: tf.range(abs(self.score(*given)) % 7))
        return rows.bucket_by_sequence_length(
            lambda row: tf.shape(row)[0], [2, 4], [2, 3, 2],
            no_padding=False, drop_remainder=self.said(self.one_of(True, False)),
            pad_to_bucket_boundary=self.said(self.one_of(True, False)),
        )  # fmt: skip

    def do_snapshot(self, ds: Any, _: int) -> Any:
        return ds.snapshot(self.folder + "/snapshot")

    def do_save(self, ds: Any, _: int) -> Any:
        ds.take(MOST).save(self.folder + "/saved")
        return self.tf.data.Dataset.load(self.folder + "/saved")

    def do_prefetch(self, ds: Any, _: int) -> Any:
        return ds.prefetch(self.said(self.one_of(1, 3, self.tf.data.AUTOTUNE)))

    def do_apply(self, ds: Any, _: int) -> Any:
        return ds.apply(lambda inner: inner.take(4))

    def do_with_options(self, ds: Any, _: int) -> Any:
        options = self.tf.data.Options()
        options.deterministic = True
        options.threading.private_threadpool_size = 2
        return ds.with_options(options)

    def do_shard(self, ds: Any, _: int) -> Any:
        count = self.said(self.number(1, 3))
        return ds.shard(count, self.said(self.number(0, count - 1)))

    def do_counter(self, ds: Any, _: int) -> Any:
        counter = self.tf.data.Dataset.counter(
            self.said(self.number(0, 3)), self.said(self.one_of(1, 2))
        )
        return self.tf.data.Dataset.zip((counter, ds))

    def do_ignore_errors(self, ds: Any, _: int) -> Any:
        return ds.ignore_errors()

    def do_assert_cardinality(self, ds: Any, _: int) -> Any:
        count = self.said(self.number(0, 6))
        return ds.apply(self.tf.data.experimental.assert_cardinality(count))

    def do_rejection_resample(self, ds: Any, _: int) -> Any:
        return ds.rejection_resample(
            lambda *given: self.tf.cast(abs(self.score(*given)) % 2, self.tf.int32),
            [0.5, 0.5],
            seed=5,
        )

    def do_fingerprintless(self, ds: Any, _: int) -> Any:
        return ds.map(self.function(), name="named").prefetch(1, name="again")

    def do_parallel_filter(self, ds: Any, _: int) -> Any:
        return ds.map(self.function(), num_parallel_calls=2).map(self.function()).take(5)

    def do_sparse_windows(self, ds: Any, _: int) -> Any:
        return ds.batch(2).batch(2)

    def pipeline(self, depth: int = 0, most: int = 4) -> Any:
        ds = self.source(depth)
        for _ in range(self.number(0 if depth else 1, most)):
            ds = self.step(ds, depth)
        return ds


STEPS = [name[3:] for name in dir(Maker) if name.startswith("do_")]


def kinds(error: BaseException) -> list[str]:
    return [one.__name__ for one in type(error).__mro__ if one not in (object, BaseException)]


class Failed:
    def __init__(self, error: Exception) -> None:
        self.kinds, self.text = kinds(error), f"{type(error).__name__}: {error}"[:300]

    def __repr__(self) -> str:
        return self.text


def tried(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except Exception as error:
        return Failed(error)


def plain(tf: Any, value: Any) -> Any:
    """An element as Python values, with its kinds, dtypes and shapes."""
    if fields := getattr(value, "_fields", None):
        return type(value).__name__, [(k, plain(tf, getattr(value, k))) for k in fields]
    if isinstance(value, tuple | list):
        return type(value).__name__, [plain(tf, one) for one in value]
    if isinstance(value, dict):
        return "dict", [(k, plain(tf, one)) for k, one in value.items()]
    if isinstance(value, tf.data.Dataset):
        return "window", [plain(tf, one) for one in islice(value, MOST)]
    if value is None:
        return None
    if isinstance(value, tf.RaggedTensor):
        return "ragged", value.dtype.name, str(value.shape), value.to_list()
    if isinstance(value, tf.SparseTensor):
        parts = value.indices, value.values, value.dense_shape
        return "sparse", [plain(tf, one) for one in parts]
    if tf.is_tensor(value):
        return value.dtype.name, value.shape.as_list(), value.numpy().tolist()
    if isinstance(value, np.ndarray | np.generic):
        rows: Any = (
            [plain(tf, one) for one in np.asarray(value)]
            if value.dtype == object
            else value.tolist()
        )
        return "numpy", str(value.dtype), value.shape, rows
    return type(value).__name__, str(value)


def taken(tf: Any, elements: Iterator[Any]) -> list[Any]:
    """The elements until the first failure, and that."""
    found: list[Any] = []
    while len(found) < MOST:
        try:
            found.append(plain(tf, next(elements)))
        except StopIteration:
            break
        except Exception as error:
            found.append(Failed(error))
            break
    return found


def looked_at(tf: Any, number: int) -> tuple[list[str], dict[str, Any]]:
    """What one library makes of a pipeline."""
    tf.random.set_seed(number)
    with tempfile.TemporaryDirectory() as folder:
        return of_maker(tf, Maker(tf, number, folder))


def of_maker(tf: Any, maker: Maker) -> tuple[list[str], dict[str, Any]]:
    ds = tried(maker.pipeline)
    if isinstance(ds, Failed):
        return maker.calls, {"made": ds}
    found: dict[str, Any] = {"spec": str(ds.element_spec)}
    found["cardinality"] = tried(lambda: int(ds.cardinality()))
    found["len"] = tried(lambda: len(ds))
    found["elements"] = tried(lambda: taken(tf, iter(ds)))
    found["again"] = tried(lambda: taken(tf, iter(ds)))
    found["numpy"] = tried(lambda: taken(tf, ds.take(5).as_numpy_iterator()))
    score = maker.score
    zero = np.int64(0)

    @tf.function
    def looped(dataset: Any) -> Any:
        total = tf.constant(0, tf.int64)
        for element in dataset:
            total = total * 3 + score(element)
        return total

    few = ds.take(MOST)
    found["loop"] = tried(lambda: int(looped(few)))
    found["captured"] = tried(lambda: int(tf.function(lambda: looped(few))()))
    found["reduce"] = tried(lambda: int(few.reduce(zero, lambda t, *given: t * 3 + score(*given))))
    found["single"] = tried(lambda: plain(tf, ds.take(1).get_single_element()))
    found["optional"] = tried(
        lambda: plain(tf, tf.function(lambda it: it.get_next_as_optional().get_value())(iter(ds)))
    )
    found["options"] = str(ds.options().deterministic)
    return maker.calls, found


def alike(theirs: Any, ours: Any) -> bool:
    if isinstance(theirs, Failed):
        # Theirs hides the class of what a function of `group_by_window` raised.
        hidden = "Got error code INVALID_ARGUMENT" in theirs.text
        wanted = "InvalidArgumentError" if hidden else theirs.kinds[0]
        return isinstance(ours, Failed) and wanted in ours.kinds
    if isinstance(theirs, list | tuple):
        return (
            type(theirs) is type(ours)
            and len(theirs) == len(ours)
            and all(map(alike, theirs, ours))
        )
    return type(theirs) is type(ours) and (theirs == ours or theirs != theirs)


def differences(theirs: dict[str, Any], ours: dict[str, Any]) -> list[str]:
    keys = list(dict.fromkeys([*theirs, *ours]))
    return [
        f"{key}\n  TensorFlow: {theirs.get(key)!r}\n  tensormill: {ours.get(key)!r}"
        for key in keys
        if not alike(theirs.get(key), ours.get(key))
    ]


def compared(first: int, count: int) -> int:
    """How many of these pipelines differ; what does is printed."""
    import tensorflow

    import tensormill

    failures = 0
    for number in range(first, first + count):
        print(f"# {number}", file=sys.stderr, flush=True)  # for the process that started this one
        calls, theirs = looked_at(tensorflow, number)
        our_calls, ours = looked_at(tensormill, number)
        if calls != our_calls and "made" not in theirs:
            ours["calls"] = " ".join(our_calls)
        if complaints := differences(theirs, ours):
            failures += 1
            print(f"{number}: {' '.join(calls)}", *complaints, sep="\n", flush=True)
    return failures


def main(first: int = 0, count: int = 100) -> int:
    """Compare in processes of their own: some pipelines end TensorFlow's."""
    end, failures = first + count, 0
    while first < end:
        command = [sys.executable, __file__, str(first), str(end - first), "here"]
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
        failures += done.returncode > 0
        if done.returncode >= 0:
            break
        first = int(done.stderr.rpartition("# ")[2].split()[0]) + 1
        print(f"{first - 1}: the process was ended by signal {-done.returncode}", flush=True)
    return failures


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:3]]
    sys.exit(1 if (compared if len(sys.argv) > 3 else main)(*numbers) else 0)
