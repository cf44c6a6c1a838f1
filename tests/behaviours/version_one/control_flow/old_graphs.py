"""Graphs with control flow of TensorFlow 1, which only TensorFlow itself can make.

`python -m tests.behaviours.version_one.control_flow.old_graphs`, with BEHAVIOURS_OF=tensorflow and
a Python that has it, writes them all into one GraphDef, each in a scope of its name, and prints
what they give.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.behaviours.library import tf

v1 = tf.compat.v1

FILE = Path(__file__).parent / "fixtures" / "control_flow.pb.gz"
COUNTS = 0, 1, 2, 4


def loop(n: Any, step: Callable[..., Any], *start: Any) -> Any:
    return v1.while_loop(lambda i, *_: i < n, lambda i, *s: (i + 1, *step(i, *s)), [0, *start])


def slope(y: Any, a: Any) -> Any:
    return v1.gradients(tf.reduce_sum(y**2), a)[0]


def of_a_loop(a: Any, n: Any) -> Any:
    return slope(loop(n, lambda _, s: (s * s * 0.9 + 0.1,), a)[1], a)


def of_loops_in_loops(a: Any, n: Any) -> Any:
    def step(i: Any, s: Any) -> Any:
        inner = loop(i, lambda j, z: (z + tf.cast(j, tf.float32) * s,), tf.zeros_like(s))
        return (s * 0.9 + inner[1] * s,)

    return slope(loop(n, step, a)[1], a)


def of_a_branch_in_a_loop(a: Any, n: Any) -> Any:
    def step(_: Any, s: Any) -> Any:
        z = v1.cond(tf.reduce_sum(s) > 1.6, lambda: s * s - 1.0, lambda: s * 2 + 0.5)
        return (s * 0.9 + z * 0.1,)

    return slope(loop(n, step, a)[1], a)


def of_branches_that_take_two_values(a: Any, n: Any) -> Any:
    def step(i: Any, s: Any, t: Any) -> Any:
        z = v1.cond(i > 1, lambda: tf.sin(s * t) + s, lambda: tf.exp(-s * t))
        return z, t * 0.9 + z * 0.1

    _, s, t = loop(n, step, a, a * 2)
    return slope(s + t, a)


def of_branches_in_branches(a: Any, n: Any) -> Any:
    def step(i: Any, s: Any) -> Any:
        def inner() -> Any:
            return v1.cond(tf.reduce_sum(s) > 1.0, lambda: tf.sin(s), lambda: s * s)

        return (v1.cond(tf.equal(i % 2, 0), inner, lambda: tf.tanh(s * 0.7)),)

    return slope(loop(n, step, a)[1], a)


def of_drawn_numbers(a: Any, n: Any) -> Any:
    def step(i: Any, s: Any) -> Any:
        def dropped() -> Any:
            return tf.sin(s * tf.floor(v1.random_uniform([2], seed=3) + 0.5)) * s

        return (v1.cond(tf.equal(i % 2, 0), dropped, lambda: s * s),)

    s = loop(n, step, a)[1]
    return slope(s, a) + 100.0 * s


def what_waits(kind: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def built(a: Any, n: Any) -> Any:
        seen = v1.get_variable(f"seen_{kind.__name__}", initializer=0.0, use_resource=True)
        with tf.control_dependencies([v1.assign_add(seen, 10.0)]):
            y = kind(a, n)
        with tf.control_dependencies([y]):
            return tf.reduce_sum(y) + 100.0 * seen.read_value()

    return built


def a_loop(a: Any, n: Any) -> Any:
    return loop(n, lambda _, s: (s + 1.0,), a)[1]


def a_branch(a: Any, n: Any) -> Any:
    return v1.cond(n > 1, lambda: a * 2.0, lambda: a * 3.0)


GRAPHS: dict[str, Callable[[Any, Any], Any]] = {
    **{
        one.__name__: one
        for one in (
            of_a_loop, of_loops_in_loops, of_a_branch_in_a_loop, of_branches_that_take_two_values,
            of_branches_in_branches, of_drawn_numbers,
        )
    },
    "a_loop_waits": what_waits(a_loop),
    "a_branch_waits": what_waits(a_branch),
}  # fmt: skip


def written() -> Any:
    """The GraphDef as TensorFlow wrote it."""
    return v1.GraphDef.FromString(gzip.decompress(FILE.read_bytes()))


def results(graph_def: Any, name: str) -> Iterator[list[float]]:
    """What a graph gives for each number of turns, its variable beginning at 0."""
    starts = [f"seen_{name.removesuffix('_waits')}/Assign"] if name.endswith("_waits") else []
    own = v1.graph_util.extract_sub_graph(graph_def, [f"{name}/y", *starts])
    with tf.Graph().as_default() as graph, v1.Session() as session:
        tf.graph_util.import_graph_def(own, name="")
        for count in COUNTS:
            session.run([graph.get_operation_by_name(one) for one in starts])
            given = {f"{key}:0": value for key, value in (("a", [1.0, 0.5]), ("n", count))}
            yield session.run(f"{name}/y:0", given).ravel().tolist()


def main() -> None:
    v1.disable_control_flow_v2()
    with tf.Graph().as_default() as graph:
        v1.set_random_seed(5)
        a, n = v1.placeholder(tf.float32, [2], "a"), v1.placeholder(tf.int32, [], "n")
        for name, build in GRAPHS.items():
            with v1.name_scope(name):
                tf.identity(build(a, n), "y")
        definition = graph.as_graph_def()
    FILE.write_bytes(gzip.compress(definition.SerializeToString(), mtime=0))
    for name in GRAPHS:
        print(f"    {name!r}: {[[round(y, 5) for y in one] for one in results(definition, name)]},")


if __name__ == "__main__":
    main()
