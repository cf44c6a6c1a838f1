"""What is counted in the text of a compiled program, of pieces whose counts are plain."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.cli.plan.counts import Counting, Counts
from tensormill.cli.plan.devices import CHIPS
from tensormill.cli.plan.exchanges import DeviceExchange
from tensormill.cli.plan.times import speed_of, time_of
from tensormill.ops.dispatch.divisions import Division
from tensormill.xla.compiled_text import read
from tensormill.xla.partitioned import Absent, partitioned

LOOP = """HloModule jit_program, is_scheduled=true

%add.1 (x.1: f32[], y.1: f32[]) -> f32[] {
  %x.1 = f32[] parameter(0)
  %y.1 = f32[] parameter(1)
  ROOT %sum.1 = f32[] add(%x.1, %y.1)
}

%small (p.1: f32[4,8]) -> f32[4,8] {
  ROOT %p.1 = f32[4,8]{1,0} parameter(0)
}

%large (p.2: f32[4,8]) -> f32[4,8] {
  %p.2 = f32[4,8]{1,0} parameter(0)
  %w.2 = f32[8,8]{1,0} constant({...})
  ROOT %dot.2 = f32[4,8]{1,0} dot(%p.2, %w.2), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}

%cut (p.3: f32[100,8], p.4: s32[]) -> f32[1,8] {
  %p.3 = f32[100,8]{1,0} parameter(0)
  %p.4 = s32[] parameter(1)
  %zero = s32[] constant(0)
  ROOT %row = f32[1,8]{1,0} dynamic-slice(%p.3, %p.4, %zero), dynamic_slice_sizes={1,8}
}

%body (t: (s32[], f32[4,8], f32[100,8])) -> (s32[], f32[4,8], f32[100,8]) {
  %t = (s32[], f32[4,8]{1,0}, /*index=2*/f32[100,8]{1,0}) parameter(0)
  %i = s32[] get-tuple-element(%t), index=0
  %h = f32[4,8]{1,0} get-tuple-element(%t), index=1
  %rows = f32[100,8]{1,0} get-tuple-element(%t), index=2
  %one = f32[1,8]{1,0} fusion(%rows, %i), kind=kLoop, calls=%cut
  %picked = f32[4,8]{1,0} conditional(%i, %h, %h), branch_computations={%small, %large}
  %all = f32[4,8]{1,0} all-reduce(%picked), channel_id=1, replica_groups=GROUPS, to_apply=%add.1
  ROOT %next = (s32[], f32[4,8]{1,0}, f32[100,8]{1,0}) tuple(%i, %all, %rows)
}

%go (t.1: (s32[], f32[4,8], f32[100,8])) -> pred[] {
  %t.1 = (s32[], f32[4,8]{1,0}, f32[100,8]{1,0}) parameter(0)
  ROOT %yes = pred[] constant(true)
}

ENTRY %main (a: s32[], b: f32[4,8], c: f32[100,8]) -> f32[4,8] {
  %a = s32[] parameter(0)
  %b = f32[4,8]{1,0} parameter(1)
  %c = f32[100,8]{1,0} parameter(2)
  %start = (s32[], f32[4,8]{1,0}, f32[100,8]{1,0}) tuple(%a, %b, %c)
  %while.1 = (s32[], f32[4,8]{1,0}, f32[100,8]{1,0}) while(%start), condition=%go, body=%bodyTURNS
  ROOT %out = f32[4,8]{1,0} get-tuple-element(%while.1), index=1
}
"""
TURNS = ', backend_config={"known_trip_count":{"n":"10"}}'


def counted(groups: str = "{{0,1,2,3},{4,5,6,7}}", turns: str = TURNS) -> Counts:
    text = read(LOOP.replace("GROUPS", groups).replace("TURNS", turns).replace("%bodyT", "%body"))
    return Counting(text, ("x", "y"), (2, 4), lambda one: None, {}).counts


def test_a_loop_counts_as_often_as_it_runs_and_of_branches_the_larger() -> None:
    found = counted()

    assert found.work == {"f32": 10 * 2 * 4 * 8 * 8}
    assert list(found.exchanges.values()) == [10]
    # A row that is cut out, twice, its number, and what is exchanged; then the product.
    turn = (2 * 32 + 4) + 2 * 128 + (128 + 256 + 128)
    assert found.traffic == 10 * turn
    assert not found.unknown


def test_a_loop_of_unknown_length_counts_once_and_is_told() -> None:
    found = counted(turns="")

    assert found.work == {"f32": 2 * 4 * 8 * 8}
    assert found.unknown == {"the turns of a loop, which counts as one turn"}


@pytest.mark.parametrize(
    ("groups", "axes", "group"),
    [
        ("{{0,1,2,3},{4,5,6,7}}", "y", (0, 1, 2, 3)),
        ("{{0,4},{1,5},{2,6},{3,7}}", "x", (0, 4)),
        ("[2,4]<=[8]", "y", (0, 1, 2, 3)),
        ("[4,2]<=[2,4]T(1,0)", "x", (0, 4)),
        ("mesh['a'=2,'b'=4] {'b'}", "y", (0, 1, 2, 3)),
        ("mesh['a'=2,'b'=4] {'a','b'}", "x, y", tuple(range(8))),
        ("mesh['a'=4,'b'=2], device_ids=([2,4]T(1,0)) {'a'}", "y", (0, 1, 2, 3)),
        ("mesh['a'=4,'b'=2], device_ids=([2,4]T(1,0)) {'b'}", "x", (0, 4)),
        ("mesh['a'=2,'b'=4], device_ids=(0,4,1,5,2,6,3,7) {'a'}", "y", (0, 2)),
        ("mesh['a'=8] {'a':(2)4}", "y", (0, 1, 2, 3)),
        ("mesh['a'=8] {'a':(1)2}", "x", (0, 4)),
        ("{}", "x, y", tuple(range(8))),
    ],
)
def test_axes_are_those_of_the_groups(groups: str, axes: str, group: tuple[int, ...]) -> None:
    (found,) = counted(groups).exchanges

    assert found == DeviceExchange("all-reduce", axes, 4 * 8 * 4, group)


def test_sixteen_bits_that_cpus_add_as_thirty_two_count_as_sixteen() -> None:
    text = LOOP.replace("GROUPS", "{}").replace("TURNS", "").replace("add.1", "add.1_promoted")
    (found,) = Counting(read(text), ("x",), (8,), lambda one: None, {}).counts.exchanges

    assert found.bytes == 4 * 8 * 2


def test_a_ring_moves_what_its_kind_says_at_the_speed_of_its_link() -> None:
    chip, size = CHIPS["h100"], 800
    near, far = tuple(range(8)), tuple(range(0, 64, 8))
    both = tuple(range(16))

    assert speed_of(DeviceExchange("all-gather", "", size, near), chip) == 450e9
    assert speed_of(DeviceExchange("all-gather", "", size, far), chip) == 50e9
    assert speed_of(DeviceExchange("all-gather", "", size, both), chip) == 8 * 50e9
    times = [
        time_of(DeviceExchange(kind, "", size, near), chip) * 450e9
        for kind in ("all-reduce", "all-gather", "reduce-scatter", "collective-permute")
    ]
    assert times == pytest.approx([2 * 700, 700, 700, 800])


def test_counts_are_those_of_xla_where_it_counts_the_same() -> None:
    w = tf.Variable(np.ones((32, 64), np.float32))

    @tf.function(input_signature=[tf.TensorSpec([16, 32]), tf.TensorSpec([8, 8, 8, 3])])
    def step(x: Any, image: Any) -> Any:
        w.assign_sub(0.1 * tf.matmul(x, tf.tanh(tf.matmul(x, w)), transpose_a=True))
        return tf.nn.conv2d(image, tf.ones([3, 3, 3, 4]), 1, "VALID")

    graph = step.get_concrete_function().callee.graph
    shapes = ((16, 32), (8, 8, 8, 3))
    whole = [Division(("x",), (1,), (None,) * len(shape)) for shape in shapes]
    absent = [Absent(shape, np.float32, one) for shape, one in zip(shapes, whole, strict=True)]

    found = partitioned(graph, [*absent, w._storage])

    counts = Counting(found.text, ("x",), (1,), lambda one: None, {}).counts
    products = 2 * 2 * 16 * 32 * 64 + 2 * 8 * 6 * 6 * 4 * 27
    assert counts.work == {"f32": products}
    assert products <= found.cost["flops"] < 1.1 * products
    assert counts.traffic == pytest.approx(found.cost["bytes accessed"], rel=0.05)
    assert found.written == {w._storage}
    sources = {str(found.steps[one.step].line) for one in products_of(found)}
    assert {line.partition(":")[0] for line in sources} == {"test_plan_counts.py"}


def test_turns_of_loops_that_may_fail_are_known() -> None:
    w = tf.Variable(np.ones((4, 4), np.float32))

    @tf.function(input_signature=[tf.TensorSpec([7, 2, 4])])
    def step(x: Any) -> Any:
        with tf.GradientTape() as tape:
            h = tf.zeros([2, 4])
            for k in tf.range(1, 7, 2):
                h = tf.tanh(x[k] + tf.matmul(h, w))  # a check: there may be no x[k]
            loss = tf.reduce_sum(h)
        return tape.gradient(loss, w)

    graph = step.get_concrete_function().callee.graph
    absent = Absent((7, 2, 4), np.float32, Division(("x",), (1,), (None,) * 3))

    found = partitioned(graph, [absent, w._storage])

    counts = Counting(found.text, ("x",), (1,), lambda one: None, found.turns).counts
    assert not counts.unknown
    # Three turns, of one product forward and two backward.
    assert counts.work == {"f32": 3 * 3 * 2 * 2 * 4 * 4}


def products_of(found: Any) -> list[Any]:
    inside = [one for known in found.text.computations.values() for one in known.values()]
    return [one for one in inside if one.opcode in ("dot", "convolution")]
