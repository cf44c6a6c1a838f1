# ruff: noqa: E501 - LLVM's lines are as long as its signatures
"""Convolutions, in LLVM IR: sums of products at addresses that tables tell.

Both functions know nothing of images. `pixels` holds, for every window, how many bytes after `x`
it begins; `taps` (or `rows`) hold how much further the numbers lie that it looks at. So strides,
dilations, the number of axes and transposed convolutions are a matter of tables, and no matrix of
all that windows see is ever written: a tile of windows times 64 bytes of filters stays in vector
registers until its sums are complete. Every sum has one order, whoever computes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

# Our short dtype name: LLVM's type, its suffix, bytes per number.
NUMBERS: Final = {"f32": ("float", "f32", 4), "f64": ("double", "f64", 8)}
PREFIXES: Final = ("tm_convolve_", "tm_filter_gradient_")
LANE_BYTES: Final = 64  # filters that are computed together
TILES_TOGETHER: Final = 4  # tiles of rows of a filter's gradient that one unit of work has
CHUNK: Final = 256  # windows whose gradients are added up while they are in the cache
# Vector instructions of one unit of work, about ten microseconds: who is done first waits no longer.
_BLOCK_WORK: Final = 30_000


@dataclass(frozen=True, slots=True)
class ConvolutionShape:
    """What the text depends on: the numbers, and how many sums fit into vector registers."""

    short: str
    tile: int

    @property
    def lanes(self) -> int:
        return LANE_BYTES // NUMBERS[self.short][2]

    @property
    def vector(self) -> str:
        return f"<{self.lanes} x {NUMBERS[self.short][0]}>"

    @property
    def mask(self) -> str:
        return f"<{self.lanes} x i1>"


def tile_rows(features: str) -> int:
    """How many vectors of sums the processor has registers for, with some left for factors."""
    return 12 if "+avx512f" in features.split(",") else 6


def definitions(function: str, features: str) -> str:
    """The text of `tm_convolve_<dtype>` or `tm_filter_gradient_<dtype>`.

    `features`: those of the processor, as LLVM names them.
    """
    name, _, short = function.rpartition("_")
    shape = ConvolutionShape(short, tile_rows(features))
    return _forward(shape) if f"{name}_" == PREFIXES[0] else _to_filter(shape)


DECLARATIONS: Final = "declare void @tm_parallel_for(i64, ptr, ptr, i64)\n"


def _multiply_add(
    shape: ConvolutionShape, lines: list[str], number: int, address: str, factor: str
) -> None:
    """sum.<number> += the number at `address`, times the vector `factor`."""
    type_, suffix, size = NUMBERS[shape.short]
    v, mask = shape.vector, f"<{shape.lanes} x i32> zeroinitializer"
    lines += [
        f"  %n{number} = load {type_}, ptr {address}, align {size}",
        f"  %o{number} = insertelement {v} poison, {type_} %n{number}, i64 0",
        f"  %s{number} = shufflevector {v} %o{number}, {v} poison, {mask}",
        f"  %next{number} = call {v} @llvm.fmuladd.v{shape.lanes}{suffix}({v} %s{number}, {v} {factor}, {v} %sum{number})",
    ]


def _lane_mask(shape: ConvolutionShape) -> str:
    """%mask: which of the lanes hold one of the %left filters."""
    count = shape.lanes
    numbers = ", ".join(f"i64 {lane}" for lane in range(count))
    return f"""  %left.one = insertelement <{count} x i64> poison, i64 %left, i64 0
  %left.all = shufflevector <{count} x i64> %left.one, <{count} x i64> poison, <{count} x i32> zeroinitializer
  %mask = icmp slt <{count} x i64> <{numbers}>, %left.all
"""


def _words(names: list[tuple[str, str]]) -> tuple[str, str]:
    """Code that stores arguments into %context, and code that reads them back."""
    write, read = [f"  %context = alloca [{len(names)} x i64], align 8"], list[str]()
    for number, (type_, name) in enumerate(names):
        at = f"%{name}.at"
        write.append(f"  {at} = getelementptr i64, ptr %context, i64 {number}")
        write.append(f"  store {type_} %{name}, ptr {at}")
        read.append(f"  {at} = getelementptr i64, ptr %context, i64 {number}")
        read.append(f"  %{name} = load {type_}, ptr {at}")
    return "\n".join(write), "\n".join(read)


def _parameters(names: list[tuple[str, str]]) -> str:
    return ", ".join(f"{type_} %{name}" for type_, name in names)


# ---------------------------------------------------------------- forward


def _tile(shape: ConvolutionShape) -> str:
    """Some windows times one panel of filters."""
    tile, v, (type_, suffix, size) = shape.tile, shape.vector, NUMBERS[shape.short]
    start, tap, ends = list[str](), list[str](), list[str]()
    sums, inner, products = list[str](), list[str](), list[str]()
    for k in range(tile):
        start += [
            f"  %far{k} = add i64 %first, {k}",
            f"  %p{k} = call i64 @llvm.smin.i64(i64 %far{k}, i64 %last)",
            f"  %pixel{k}.at = getelementptr i64, ptr %pixels, i64 %p{k}",
            f"  %pixel{k} = load i64, ptr %pixel{k}.at",
            f"  %x{k} = getelementptr i8, ptr %x, i64 %pixel{k}",
        ]
        tap.append(f"  %t{k} = getelementptr i8, ptr %x{k}, i64 %offset")
        sums.append(f"  %whole{k} = phi {v} [ zeroinitializer, %entry ], [ %next{k}, %each ]")
        inner.append(f"  %sum{k} = phi {v} [ %whole{k}, %tap ], [ %next{k}, %each ]")
        products.append(f"  %a{k} = getelementptr {type_}, ptr %t{k}, i64 %r")
        _multiply_add(shape, products, k, f"%a{k}", "%b")
        ends += [
            f"  %place{k}.at = getelementptr i64, ptr %places, i64 %p{k}",
            f"  %place{k} = load i64, ptr %place{k}.at",
            f"  %out{k} = getelementptr i8, ptr %out, i64 %place{k}",
            f"  call void @llvm.masked.store.v{shape.lanes}{suffix}.p0({v} %whole{k}, ptr %out{k}, i32 {size}, {shape.mask} %mask)",
        ]
    line = "\n".join
    return f"""
define internal void @tm_convolve_tile_{shape.short}(ptr %x, ptr %panel, ptr noalias %out, ptr %pixels, ptr %places, ptr %taps, i64 %first, i64 %last, i64 %count, i64 %run, {shape.mask} %mask) noinline nounwind {{
entry:
{line(start)}
  br label %taps.next
taps.next:
  %number = phi i64 [ 0, %entry ], [ %number.next, %each ]
  %w.tap = phi ptr [ %panel, %entry ], [ %w.next, %each ]
{line(sums)}
  %more = icmp slt i64 %number, %count
  br i1 %more, label %tap, label %done
tap:
  %tap.at = getelementptr i64, ptr %taps, i64 %number
  %offset = load i64, ptr %tap.at
{line(tap)}
  %number.next = add i64 %number, 1
  br label %each
each:
  %r = phi i64 [ 0, %tap ], [ %r.next, %each ]
  %w = phi ptr [ %w.tap, %tap ], [ %w.next, %each ]
{line(inner)}
  %b = load {v}, ptr %w, align 64
{line(products)}
  %w.next = getelementptr i8, ptr %w, i64 {LANE_BYTES}
  %r.next = add i64 %r, 1
  %again = icmp slt i64 %r.next, %run
  br i1 %again, label %each, label %taps.next
done:
{line(ends)}
  ret void
}}
"""


def _forward(shape: ConvolutionShape) -> str:
    """`tm_convolve_<dtype>`: for every window, every filter of its group.

    count: windows; tap_count, run: how many rows of how many numbers a window looks at; filters:
    per group; channels: bytes from group to group in x. `panels` holds for each group, then for
    each 64 bytes of filters, the filters' numbers [taps, run, 64 bytes].
    """
    size = NUMBERS[shape.short][2]
    names = [
        *(("ptr", name) for name in ("x", "panels", "out", "pixels", "places", "taps")),
        *(("i64", name) for name in ("count", "tap_count", "run", "filters", "groups", "channels")),
    ]
    write, read = _words(names)
    together = shape.tile
    return (
        _tile(shape)
        + f"""
define internal void @tm_convolve_part_{shape.short}(ptr %context, i64 %begin, i64 %end) nounwind {{
entry:
{read}
  %last = sub i64 %count, 1
  %taps.one = mul i64 %tap_count, %run
  %panel.bytes = mul i64 %taps.one, {LANE_BYTES}
  %some = icmp sgt i64 %run, 0
  %tap.count = select i1 %some, i64 %tap_count, i64 0
  %first.pixel = mul i64 %begin, {together}
  %far.pixel = mul i64 %end, {together}
  %end.pixel = call i64 @llvm.smin.i64(i64 %far.pixel, i64 %count)
  br label %block.next
block.next:
  %block = phi i64 [ %first.pixel, %entry ], [ %block.end, %group.next ]
  %block.far = add i64 %block, {together}
  %block.end = call i64 @llvm.smin.i64(i64 %block.far, i64 %end.pixel)
  %more = icmp slt i64 %block, %end.pixel
  br i1 %more, label %group.next.first, label %exit
group.next.first:
  br label %group.next
group.next:
  %group = phi i64 [ 0, %group.next.first ], [ %group.after, %filter.next ]
  %panel.group = phi ptr [ %panels, %group.next.first ], [ %panel.filter, %filter.next ]
  %group.more = icmp slt i64 %group, %groups
  br i1 %group.more, label %group.one, label %block.next
group.one:
  %group.after = add i64 %group, 1
  %x.offset = mul i64 %group, %channels
  %x.group = getelementptr i8, ptr %x, i64 %x.offset
  %out.first = mul i64 %group, %filters
  %out.offset = mul i64 %out.first, {size}
  %out.group = getelementptr i8, ptr %out, i64 %out.offset
  br label %filter.next
filter.next:
  %filter = phi i64 [ 0, %group.one ], [ %filter.after, %tile.next ]
  %panel.filter = phi ptr [ %panel.group, %group.one ], [ %panel.after, %tile.next ]
  %filter.more = icmp slt i64 %filter, %filters
  br i1 %filter.more, label %filter.one, label %group.next
filter.one:
  %left = sub i64 %filters, %filter
{_lane_mask(shape)}  %filter.after = add i64 %filter, {shape.lanes}
  %panel.after = getelementptr i8, ptr %panel.filter, i64 %panel.bytes
  %out.lane = mul i64 %filter, {size}
  %out.filter = getelementptr i8, ptr %out.group, i64 %out.lane
  br label %tile.next
tile.next:
  %tile = phi i64 [ %block, %filter.one ], [ %tile.after, %tile.one ]
  %tile.more = icmp slt i64 %tile, %block.end
  br i1 %tile.more, label %tile.one, label %filter.next
tile.one:
  %tile.after = add i64 %tile, {shape.tile}
  call void @tm_convolve_tile_{shape.short}(ptr %x.group, ptr %panel.filter, ptr %out.filter, ptr %pixels, ptr %places, ptr %taps, i64 %tile, i64 %last, i64 %tap.count, i64 %run, {shape.mask} %mask)
  br label %tile.next
exit:
  ret void
}}

define internal void @tm_convolve_{shape.short}({_parameters(names)}) nounwind {{
entry:
{write}
  %blocks.far = add i64 %count, {together - 1}
  %blocks = sdiv i64 %blocks.far, {together}
  %filters.all = mul i64 %filters, %groups
  %vectors = sdiv i64 %filters.all, {shape.lanes}
  %vectors.some = add i64 %vectors, 1
  %reach = mul i64 %tap_count, %run
  %each = mul i64 %reach, %vectors.some
  %work = mul i64 %each, {together}
  %work.some = call i64 @llvm.smax.i64(i64 %work, i64 1)
  %enough = sdiv i64 {_BLOCK_WORK}, %work.some
  %grain = add i64 %enough, 1
  call void @tm_parallel_for(i64 %blocks, ptr @tm_convolve_part_{shape.short}, ptr %context, i64 %grain)
  ret void
}}
"""
    )


# ---------------------------------------------------------------- to the filter


def _gradient_tile(shape: ConvolutionShape) -> str:
    """Some rows of one panel of the filters' gradient, for a chunk of windows."""
    tile, v, suffix = shape.tile, shape.vector, NUMBERS[shape.short][1]
    size = NUMBERS[shape.short][2]
    start, inner, products, ends = list[str](), list[str](), list[str](), list[str]()
    for k in range(tile):
        start += [
            f"  %far{k} = add i64 %row, {k}",
            f"  %r{k} = call i64 @llvm.smin.i64(i64 %far{k}, i64 %row.last)",
            f"  %row{k}.at = getelementptr i64, ptr %rows, i64 %r{k}",
            f"  %row{k} = load i64, ptr %row{k}.at",
            f"  %x{k} = getelementptr i8, ptr %x, i64 %row{k}",
            f"  %place{k} = mul i64 %r{k}, %width",
            f"  %sum{k}.at = getelementptr i8, ptr %out, i64 %place{k}",
            f"  %old{k} = call {v} @llvm.masked.load.v{shape.lanes}{suffix}.p0(ptr %sum{k}.at, i32 {size}, {shape.mask} %kept, {v} zeroinitializer)",
        ]
        inner.append(f"  %sum{k} = phi {v} [ %old{k}, %entry ], [ %next{k}, %pixel ]")
        products.append(f"  %a{k} = getelementptr i8, ptr %x{k}, i64 %offset")
        _multiply_add(shape, products, k, f"%a{k}", "%b")
        ends.append(
            f"  call void @llvm.masked.store.v{shape.lanes}{suffix}.p0({v} %next{k}, ptr %sum{k}.at, i32 {size}, {shape.mask} %mask)"
        )
    line = "\n".join
    return f"""
define internal void @tm_filter_tile_{shape.short}(ptr %x, ptr %dy, ptr %out, ptr %pixels, ptr %rows, i64 %begin, i64 %end, i64 %row, i64 %row.last, i64 %width, {shape.mask} %kept, {shape.mask} %mask) noinline nounwind {{
entry:
{line(start)}
  br label %pixel
pixel:
  %p = phi i64 [ %begin, %entry ], [ %p.next, %pixel ]
{line(inner)}
  %pixel.at = getelementptr i64, ptr %pixels, i64 %p
  %offset = load i64, ptr %pixel.at
  %dy.offset = mul i64 %p, %width
  %dy.at = getelementptr i8, ptr %dy, i64 %dy.offset
  %b = call {v} @llvm.masked.load.v{shape.lanes}{suffix}.p0(ptr %dy.at, i32 {size}, {shape.mask} %mask, {v} zeroinitializer)
{line(products)}
  %p.next = add i64 %p, 1
  %again = icmp slt i64 %p.next, %end
  br i1 %again, label %pixel, label %done
done:
{line(ends)}
  ret void
}}
"""


def _to_filter(shape: ConvolutionShape) -> str:
    """`tm_filter_gradient_<dtype>`: for every row and every filter, in `parts` sums of their own.

    count: windows; row_count: rows of a filter; filters: per group; width: bytes of a row of `dy`,
    and of one of `out` [parts, rows, width]; channels: bytes from group to group in x.
    """
    size = NUMBERS[shape.short][2]
    names = [
        *(("ptr", name) for name in ("x", "dy", "out", "pixels", "rows")),
        *(("i64", name) for name in ("count", "row_count", "filters", "groups", "channels")),
        ("i64", "parts"),
    ]
    write, read, rows = *_words(names), shape.tile * TILES_TOGETHER
    return (
        _gradient_tile(shape)
        + f"""
define internal void @tm_filter_part_{shape.short}(ptr %context, i64 %begin, i64 %end) nounwind {{
entry:
{read}
  %row.last = sub i64 %row_count, 1
  %filters.all = mul i64 %filters, %groups
  %width = mul i64 %filters.all, {size}
  %panels.far = add i64 %filters, {shape.lanes - 1}
  %panels = sdiv i64 %panels.far, {shape.lanes}
  %row.blocks.far = add i64 %row_count, {rows - 1}
  %row.blocks = sdiv i64 %row.blocks.far, {rows}
  %per.panel = mul i64 %panels, %groups
  %per.part = mul i64 %per.panel, %row.blocks
  %part.bytes = mul i64 %row_count, %width
  br label %item.next
item.next:
  %item = phi i64 [ %begin, %entry ], [ %item.after, %chunk.next ]
  %more = icmp slt i64 %item, %end
  br i1 %more, label %item.one, label %exit
item.one:
  %item.after = add i64 %item, 1
  %part = sdiv i64 %item, %per.part
  %in.part = srem i64 %item, %per.part
  %row.block = srem i64 %in.part, %row.blocks
  %row.first = mul i64 %row.block, {rows}
  %row.far = add i64 %row.first, {rows}
  %row.end = call i64 @llvm.smin.i64(i64 %row.far, i64 %row_count)
  %within = sdiv i64 %in.part, %row.blocks
  %group = sdiv i64 %within, %panels
  %panel = srem i64 %within, %panels
  %lane = mul i64 %panel, {shape.lanes}
  %left = sub i64 %filters, %lane
{_lane_mask(shape)}  %group.first = mul i64 %group, %filters
  %column = add i64 %group.first, %lane
  %column.bytes = mul i64 %column, {size}
  %dy.here = getelementptr i8, ptr %dy, i64 %column.bytes
  %part.offset = mul i64 %part, %part.bytes
  %out.offset = add i64 %part.offset, %column.bytes
  %out.here = getelementptr i8, ptr %out, i64 %out.offset
  %x.offset = mul i64 %group, %channels
  %x.here = getelementptr i8, ptr %x, i64 %x.offset
  %first.scaled = mul i64 %part, %count
  %first = sdiv i64 %first.scaled, %parts
  %part.after = add i64 %part, 1
  %last.scaled = mul i64 %part.after, %count
  %last = sdiv i64 %last.scaled, %parts
  br label %chunk.next
chunk.next:
  %chunk = phi i64 [ %first, %item.one ], [ %chunk.end, %row.next ]
  %chunk.more = icmp slt i64 %chunk, %last
  br i1 %chunk.more, label %chunk.one, label %item.next
chunk.one:
  %chunk.far = add i64 %chunk, {CHUNK}
  %chunk.end = call i64 @llvm.smin.i64(i64 %chunk.far, i64 %last)
  %fresh = icmp eq i64 %chunk, %first
  %kept = select i1 %fresh, {shape.mask} zeroinitializer, {shape.mask} %mask
  br label %row.next
row.next:
  %row = phi i64 [ %row.first, %chunk.one ], [ %row.after, %row.one ]
  %row.more = icmp slt i64 %row, %row.end
  br i1 %row.more, label %row.one, label %chunk.next
row.one:
  %row.after = add i64 %row, {shape.tile}
  call void @tm_filter_tile_{shape.short}(ptr %x.here, ptr %dy.here, ptr %out.here, ptr %pixels, ptr %rows, i64 %chunk, i64 %chunk.end, i64 %row, i64 %row.last, i64 %width, {shape.mask} %kept, {shape.mask} %mask)
  br label %row.next
exit:
  ret void
}}

define internal void @tm_filter_gradient_{shape.short}({_parameters(names)}) nounwind {{
entry:
{write}
  %panels.far = add i64 %filters, {shape.lanes - 1}
  %panels = sdiv i64 %panels.far, {shape.lanes}
  %row.blocks.far = add i64 %row_count, {rows - 1}
  %row.blocks = sdiv i64 %row.blocks.far, {rows}
  %per.panel = mul i64 %panels, %groups
  %per.part = mul i64 %per.panel, %row.blocks
  %items = mul i64 %per.part, %parts
  %rows.some = call i64 @llvm.smin.i64(i64 %row_count, i64 {rows})
  %windows = mul i64 %count, %rows.some
  %work = sdiv i64 %windows, %parts
  %work.some = call i64 @llvm.smax.i64(i64 %work, i64 1)
  %enough = sdiv i64 {_BLOCK_WORK}, %work.some
  %grain = add i64 %enough, 1
  call void @tm_parallel_for(i64 %items, ptr @tm_filter_part_{shape.short}, ptr %context, i64 %grain)
  ret void
}}
"""
    )
