"""Minimal filtering gives what sums over windows give, evaluated and native."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensormill.compiler.loops.externals import signature_of
from tensormill.compiler.loops.ir import NativeFunction
from tensormill.compiler.loops.parse import parse_function
from tensormill.compiler.loops.text import function_text
from tensormill.compiler.loops.verify import verify_function
from tensormill.compiler.native import library
from tensormill.compiler.native.windows import convolutions, winograd, winograd_gradients
from tensormill.compiler.native.windows.convolutions import tile_rows
from tensormill.compiler.native.windows.winograd import LANES, LEAST_TILES, POSITIONS
from tests.compiler.native.functions import Compiled, Evaluated

Array = np.ndarray[Any, Any]
TILES = [tile_rows(features) for features in ("+avx2", "+avx2,+avx512f")]
SIZE = 4  # bytes of a number


@cache
def made(tile: int, least: int = LEAST_TILES) -> tuple[NativeFunction, ...]:
    with pytest.MonkeyPatch.context() as patch:
        for module in (winograd, winograd_gradients):
            patch.setattr(module, "LEAST_TILES", least)
        texts = convolutions.functions("f32", tile), winograd.functions(tile)
        text = "".join((*texts, winograd_gradients.functions(tile)))
    return tuple(map(parse_function, library.sources(text).values()))


@pytest.mark.parametrize("tile", TILES)
def test_the_text_makes_sense_and_is_read_back(tile: int):
    known = dict(library.SIGNATURES) | {one.name: signature_of(one) for one in made(tile)}

    for function in made(tile):
        printed = function_text(verify_function(function, known))
        assert function_text(parse_function(printed)) == printed


def whole_numbers(seed: int, *shape: int) -> Array:
    """Their sums are exact, and so are quarters of them."""
    return np.random.default_rng(seed).integers(-9, 9, shape).astype(np.float32)


def padded(images: Array) -> Array:
    return np.pad(images, ((0, 0), (1, 1), (1, 1), (0, 0)), constant_values=3)


def bytes_of(index: Array, array: Array) -> Array:
    """Where elements of an array lie, in bytes."""
    return np.tensordot(np.array(array.strides), index, 1).astype(np.int64).ravel()


def windows_of(x: Array, height: int, width: int) -> Array:
    """At which byte of `x` each window of its images begins."""
    return bytes_of(np.indices((len(x), height, width, 1)), x)


def steps_of(x: Array) -> tuple[int, ...]:
    return (x.strides[2], x.strides[1], x.strides[0])


def weights(seed: int, *shape: int) -> Array:
    """Whole numbers, none of which is zero: such filters are not for these functions."""
    found = whole_numbers(seed, *shape)
    return np.where(found == 0, np.float32(5), found)


def panels_of(filters: Array) -> Array:
    """[3, 3, depth, filters] as [panels, 9, depth, lanes]; the last one is repeated."""
    *_, depth, count = filters.shape
    panels = -(-count // LANES)
    whole = filters.reshape(9, depth, count)[..., np.minimum(np.arange(panels * LANES), count - 1)]
    return whole.reshape(9, depth, panels, LANES).transpose(2, 0, 1, 3).copy()


def seen_by(x: Array, height: int, width: int) -> Array:
    """[batch, height, width, 3, 3, depth]"""
    return np.stack(
        [
            np.stack([x[:, i : i + height, j : j + width] for j in range(3)], 3)
            for i in range(3)
        ],
        3,
    )  # fmt: skip


def convolved(machine: Evaluated | Compiled, x: Array, filters: Array) -> tuple[Array, int]:
    """What `tm_winograd` makes of all windows of `x`, and whether it doubted its results."""
    batch, height, width = x.shape[0], x.shape[1] - 2, x.shape[2] - 2
    depth, count = filters.shape[2:]
    out = np.full((batch, height, width, count), -1, np.float32)
    panels = panels_of(filters)
    taps = np.arange(3) * x.strides[1]
    factors = np.zeros((len(panels), POSITIONS, depth, LANES), np.float32)
    flag = np.full(1, 7)
    tables = windows_of(x, height, width), windows_of(out, height, width), taps
    room = [machine.room(one) for one in (x, panels, out, *tables, factors, flag)]
    numbers = batch * height * width, 3, 3 * depth, count, depth, height, width, 0
    machine("tm_winograd_f32", machine.frame, *room, *numbers, *steps_of(x))
    return out, int(flag[0])


def gradient(machine: Evaluated | Compiled, x: Array, dy: Array, parts: int) -> tuple[Array, int]:
    """What `tm_winograd_gradient` makes of `x` and gradients, and whether it doubted it."""
    batch, height, width, count = dy.shape
    depth = x.shape[-1]
    out = np.full((parts, 9 * depth, count), -1, np.float32)
    sums = np.zeros((parts, -(-count // LANES), POSITIONS, depth, LANES), np.float32)
    flag = np.full(1, 7)
    rows = bytes_of(np.indices((1, 3, 3, depth)), x)
    tables = windows_of(x, height, width), windows_of(dy, height, width), rows
    room = [machine.room(one) for one in (x, dy, out, *tables, sums, flag)]
    numbers = batch * height * width, 9 * depth, count, depth, parts, height, width
    places = 0, *steps_of(x), 0, *steps_of(dy)
    machine("tm_winograd_gradient_f32", machine.frame, *room, *numbers, *places)
    return out.sum(0).reshape(3, 3, depth, count), int(flag[0])


def machines(tile: int) -> tuple[Evaluated, Compiled]:
    """Small enough to be evaluated in a second, it would be too small to be worth it."""
    return Evaluated(made(tile, 1)), Compiled(made(tile, 1))


SIZES = st.tuples(
    st.sampled_from([(1, 4, 4), (1, 5, 6), (2, 2, 5), (1, 3, 3)]),
    st.just(16),
    st.sampled_from([16, 17]),
)


@pytest.mark.sampled
@settings(max_examples=1, deadline=None)
@pytest.mark.parametrize("tile", TILES)
@given(sizes=SIZES, seed=st.integers(0, 99))
def test_windows_meet_filters(tile: int, sizes: tuple[Any, int, int], seed: int):
    shape, depth, count = sizes
    x = padded(whole_numbers(seed, *shape, depth))
    filters = weights(seed + 1, 3, 3, depth, count)
    expected = np.tensordot(seen_by(x, *shape[1:]), filters, 3)

    for machine in machines(tile):
        found, doubt = convolved(machine, x, filters)
        assert doubt == 0
        np.testing.assert_array_equal(found, expected)


@pytest.mark.sampled
@settings(max_examples=1, deadline=None)
@pytest.mark.parametrize("tile", TILES)
@given(sizes=SIZES, parts=st.integers(1, 2), seed=st.integers(0, 99))
def test_filters_get_their_gradient(tile: int, sizes: tuple[Any, int, int], parts: int, seed: int):
    (batch, height, width), depth, count = sizes
    x = padded(whole_numbers(seed, batch * parts, height, width, depth))
    dy = whole_numbers(seed + 1, batch * parts, height, width, count)
    expected = np.tensordot(seen_by(x, height, width), dy, ((0, 1, 2), (0, 1, 2)))

    for machine in machines(tile):
        found, doubt = gradient(machine, x, dy, parts)
        assert doubt == 0
        np.testing.assert_array_equal(found, expected)


@pytest.mark.sampled
@settings(max_examples=8, deadline=None)
@pytest.mark.parametrize("tile", TILES)
@given(
    height=st.integers(2, 9), width=st.integers(2, 9), depth=st.sampled_from([16, 48, 256]),
    count=st.integers(16, 70), parts=st.integers(1, 3), seed=st.integers(0, 99),
)  # fmt: skip
def test_all_sizes_are_right(
    tile: int, height: int, width: int, depth: int, count: int, parts: int, seed: int
):
    x = padded(whole_numbers(seed, 8 * parts, height, width, depth))
    filters = weights(seed + 1, 3, 3, depth, count)
    dy = whole_numbers(seed + 2, 8 * parts, height, width, count)
    machine = Compiled(made(tile, 1))
    seen = seen_by(x, height, width)

    np.testing.assert_array_equal(convolved(machine, x, filters)[0], np.tensordot(seen, filters, 3))
    np.testing.assert_array_equal(
        gradient(machine, x, dy, parts)[0], np.tensordot(seen, dy, ((0, 1, 2), (0, 1, 2)))
    )


@pytest.mark.parametrize("tile", TILES)
def test_many_channels_and_panels_are_divided_among_units_of_work(tile: int):
    x = padded(whole_numbers(0, 10, 8, 7, 160))
    filters = weights(1, 3, 3, 160, 90)
    dy = whole_numbers(2, 10, 8, 7, 90)
    machine = Compiled(made(tile))

    np.testing.assert_array_equal(
        convolved(machine, x, filters)[0], np.tensordot(seen_by(x, 8, 7), filters, 3)
    )
    np.testing.assert_array_equal(
        gradient(machine, x, dy, 3)[0],
        np.tensordot(seen_by(x, 8, 7), dy, ((0, 1, 2), (0, 1, 2))),
    )


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan, 3e38])
def test_what_is_not_finite_is_what_sums_over_windows_make_of_it(value: float):
    machine = Compiled(made(TILES[1]))
    x = padded(whole_numbers(0, 8, 6, 6, 16))
    filters = weights(1, 3, 3, 16, 16)
    dy = weights(2, 8, 6, 6, 16)
    x[3, 4, 4, 5] = value
    with np.errstate(all="ignore"):
        wide = seen_by(x.astype(np.float64), 6, 6)
        expected = np.einsum("bhwijc,ijck->bhwk", wide, filters).astype(np.float32)
        slopes = np.einsum("bhwijc,bhwk->ijck", wide, dy).astype(np.float32)

    found, doubt = convolved(machine, x, filters)
    assert doubt == 1
    np.testing.assert_array_equal(found, expected)
    found, doubt = gradient(machine, x, dy, 1)
    assert doubt == 1
    np.testing.assert_array_equal(found, slopes)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("a zero", lambda w: w.__setitem__((1, 1, 3, 4), 0)),
        ("a tap of zeros", lambda w: w.__setitem__((2, 2), 0)),
        ("a small tap", lambda w: w.__imul__(np.where(np.eye(3)[..., None, None], 1, 1e-4))),
        ("a large tap", lambda w: w[0, 1].__imul__(1e8)),
        ("all small", lambda w: w.__imul__(1e-20)),
    ],
)
def test_weights_of_unlike_size_are_multiplied_as_they_are(name: str, change: Any):
    machine = Compiled(made(TILES[1]))
    x = padded(np.random.default_rng(0).normal(size=(8, 6, 6, 16)).astype(np.float32))
    filters = np.random.default_rng(1).normal(size=(3, 3, 16, 16)).astype(np.float32)
    assert convolved(machine, x, filters)[1] == 0

    change(filters)

    assert convolved(machine, x, filters)[1] == 1


def test_a_tap_that_met_nothing_has_no_gradient():
    machine = Compiled(made(TILES[1]))
    x = np.random.default_rng(0).normal(size=(32, 10, 10, 16)).astype(np.float32)
    x[:, 9] = 0
    dy = np.zeros((32, 8, 8, 16), np.float32)
    dy[:, -1, -1] = np.random.default_rng(1).normal(size=(32, 16))

    found, doubt = gradient(machine, x, dy, 1)

    assert doubt == 1
    assert not found[2].any()


def test_few_tiles_are_summed_over_windows():
    machine = Compiled(made(TILES[1]))
    few, many = (
        padded(np.random.default_rng(0).normal(size=(count, 2, 2, 16)).astype(np.float32))
        for count in (LEAST_TILES - 1, LEAST_TILES)
    )
    filters = np.random.default_rng(1).normal(size=(3, 3, 16, 16)).astype(np.float32)

    (some, sums), (_, others) = (convolved(machine, x, filters) for x in (few, many))
    assert (sums, others) == (1, 0)
    direct = np.zeros_like(some)
    for window in np.ndindex(direct.shape[:3]):  # in the order of its sums
        seen = seen_by(few, 2, 2)[window].reshape(-1)
        for number, factor in zip(seen, filters.reshape(-1, 16), strict=True):
            exact = np.float64(number) * factor + direct[window]
            direct[window] = exact.astype(np.float32)

    np.testing.assert_array_equal(some, direct)


def test_a_result_depends_on_its_window_alone():
    """So a large number next to a window takes none of its digits."""
    machine = Compiled(made(TILES[1]))
    x = padded(np.random.default_rng(0).normal(size=(8, 6, 6, 16)).astype(np.float32))
    filters = np.random.default_rng(1).normal(size=(3, 3, 16, 16)).astype(np.float32)
    before, _ = convolved(machine, x, filters)
    for row, column in np.ndindex(4, 4):
        changed = x.copy()
        changed[:, row, column] = 1e20
        after, _ = convolved(machine, changed, filters)
        others = np.ones(before.shape[1:3], bool)
        others[max(row - 2, 0) : row + 1, max(column - 2, 0) : column + 1] = False
        np.testing.assert_array_equal(after[:, others], before[:, others])
