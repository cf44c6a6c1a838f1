"""Operations that read and write tensor bundles: what savers of TensorFlow 1 are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ..core import dtypes
from ..core.files import gfile
from ..core.specs import TensorSpec
from ..errors import InvalidArgumentError, NotFoundError, UnimplementedError
from ..ops.effects import World
from ..ops.op import Attr, In, Op, Out
from .bundle_writer import Piece, write_bundle, write_shards
from .slice_files import SavedPart, reader_of, write_slices
from .tensor_bundle import BundleReader


class SaveV2(Op):
    """Writes tensors by their names to the bundle of a prefix."""

    prefix = In("str")
    tensor_names = In("str n")
    shape_and_slices = In("str n")
    tensors = In("[dtypes]")
    _within = Attr(())
    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        names, slices = words(self.tensor_names), words(self.shape_and_slices)
        if len(names) != len(self.tensors):
            raise InvalidArgumentError(
                f"SaveV2: {len(names)} names do not go with {len(self.tensors)} tensors"
            )
        prefix = gfile.confined(text(self.prefix), self._within, writes=True)
        parts = parts_of("SaveV2", names, slices, self.tensors)
        write_shards(prefix, [[piece_of(one) for one in parts]])
        return ()


class RestoreV2(Op):
    """Tensors of the bundle of a prefix, or slices of them, by their names."""

    prefix = In("str")
    tensor_names = In("str n")
    shape_and_slices = In("str n")
    tensors = Out("[dtypes]")
    dtypes = Attr()
    _within = Attr(())
    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> tuple[TensorSpec, ...]:
        return tuple([TensorSpec(None, dtype) for dtype in self.dtypes])

    def eager(self, np: Any) -> tuple[Any, ...]:
        names, slices = words(self.tensor_names), words(self.shape_and_slices)
        if not len(names) == len(slices) == len(self.dtypes):
            raise InvalidArgumentError(
                f"RestoreV2: {len(names)} names, {len(slices)} slices and {len(self.dtypes)} "
                "dtypes do not go together"
            )
        reader = reader_of(text(self.prefix), self._within)
        return tuple(map(restored, [reader] * len(names), names, slices, self.dtypes))


class SavesFirstFormat(Op, abstract=True):
    """Writes tensors by their names to a file of TensorFlow's first format."""

    filename = In("str")
    tensor_names = In("str n")
    effects = (World.PYTHON,)
    differentiable = False
    data: Any
    _within: Any

    def infer(self) -> tuple[()]:
        return ()

    def write(self, slices: Sequence[str]) -> tuple[()]:
        """Write the file, of all tensors or of such parts."""
        names = words(self.tensor_names)
        if len(names) != len(self.data):
            raise InvalidArgumentError(
                f"{self.name}: {len(names)} names do not go with {len(self.data)} tensors"
            )
        parts = parts_of(self.name, names, slices, self.data)
        write_slices(gfile.confined(text(self.filename), self._within, writes=True), parts)
        return ()


class Save(SavesFirstFormat):
    """Writes whole tensors."""

    data = In("[T]")
    _within = Attr(())

    def eager(self, np: Any) -> tuple[()]:
        return self.write([""] * len(self.data))


class SaveSlices(SavesFirstFormat):
    """Writes tensors that may be parts of larger ones."""

    shapes_and_slices = In("str n")
    data = In("[T]")
    _within = Attr(())

    def eager(self, np: Any) -> tuple[()]:
        return self.write(words(self.shapes_and_slices))


class RestoresFirstFormat(Op, abstract=True):
    """A tensor of the files that a pattern finds; `preferred_shard` says where to look first."""

    file_pattern = In("str")
    tensor_name = In("str")
    effects = (World.PYTHON,)
    differentiable = False
    dt: Any
    _within: Any

    def infer(self) -> TensorSpec:
        return TensorSpec(None, self.dt)

    def restored(self, part: str) -> Any:
        """The tensor, or a part of it."""
        reader = reader_of(text(self.file_pattern), self._within)
        return restored(reader, text(self.tensor_name), part, self.dt)


class Restore(RestoresFirstFormat):
    """A whole tensor."""

    tensor = Out("dt ...")
    dt = Attr()
    preferred_shard = Attr(-1)
    _within = Attr(())

    def eager(self, np: Any) -> Any:
        return self.restored("")


class RestoreSlice(RestoresFirstFormat):
    """A part of a tensor."""

    shape_and_slice = In("str")
    tensor = Out("dt ...")
    dt = Attr()
    preferred_shard = Attr(-1)
    _within = Attr(())

    def eager(self, np: Any) -> Any:
        return self.restored(text(self.shape_and_slice))


class LoadAndRemapMatrix(Op):
    """Rows and columns of a matrix in a bundle in another order; -1 takes new values.

    Raises:
        NotFoundError: there is no such bundle, or no such tensor in it.
        InvalidArgumentError: that is no matrix of float32; sizes do not fit; there are more new
            values than places for them, or fewer; or a row or column is not there.
        UnimplementedError: a row or column is wanted twice.
    """

    ckpt_path = In("str")
    old_tensor_name = In("str")
    row_remapping = In("i64 r")
    col_remapping = In("i64 c")
    initializing_values = In("f32 ...")
    output_matrix = Out("f32 n m")
    num_rows = Attr(int)
    num_cols = Attr(int)
    max_rows_in_memory = Attr(-1)
    _within = Attr(())
    effects = (World.FILES,)
    differentiable = False

    def demands(self, sizes: Any) -> None:
        (rows,), (columns,) = sizes.shape(self.row_remapping), sizes.shape(self.col_remapping)
        for what, size, wanted in (("row", rows, self.num_rows), ("col", columns, self.num_cols)):
            fits = (size == wanted) | ((size == 0) if what == "col" else False)
            text = f"Size of {what}_remapping is {{}} instead of being equal to num_{what}s={{}}"
            sizes.require_late(fits, InvalidArgumentError, text, size, wanted)

    def infer(self) -> TensorSpec:
        return TensorSpec((self.num_rows, self.num_cols), dtypes.float32)

    def eager(self, np: Any) -> Any:
        old = self.matrix()
        places = self.row_remapping, self.col_remapping
        if not places[1].size:
            places = places[0], np.arange(old.shape[1])
            if old.shape[1] != self.num_cols:
                raise InvalidArgumentError(self.told(old, OTHER_WIDTH.format(self.num_cols)))
        for axis, several in enumerate(places):
            demand_distinct(several[several >= 0], old.shape[axis])
        found = np.zeros((self.num_rows, self.num_cols), np.float32)
        is_new = (places[0] < 0)[:, None] | (places[1] < 0)
        kept = [np.flatnonzero(one >= 0) for one in places]
        found[np.ix_(*kept)] = old[np.ix_(*[one[at] for one, at in zip(places, kept, strict=True)])]
        new = self.initializing_values.reshape(-1)
        if len(new) != is_new.sum():
            raise InvalidArgumentError(
                f"initializing_values contained {len(new)} elements, but {is_new.sum()} values "
                "are missing"
            )
        found[is_new] = new
        return found

    def matrix(self) -> Any:
        """The matrix in the bundle."""
        name = text(self.old_tensor_name)
        found = restored(reader_of(text(self.ckpt_path), self._within), name, "", dtypes.float32)
        if found.ndim != 2:
            raise InvalidArgumentError(self.told(found, "instead of rank 2"))
        return found

    def told(self, found: Any, why: str) -> str:
        return f"Tensor {text(self.old_tensor_name)} has shape {list(found.shape)} {why}"


OTHER_WIDTH = "where the size of its 2nd dimension should be num_cols={}"


def demand_distinct(places: Any, size: int) -> None:
    """Rows or columns that are wanted are there, and once each."""
    met: set[int] = set()
    for one in places.tolist():
        if one >= size:
            raise InvalidArgumentError(f"Old ID {one} is not below {size}")
        if one in met:
            raise UnimplementedError(
                f"Old ID {one} is mapped to several new IDs, which is not supported."
            )
        met.add(one)


class MergeV2Checkpoints(Op):
    """One bundle of what several have, which are then deleted."""

    checkpoint_prefixes = In("str ...")
    destination_prefix = In("str")
    delete_old_dirs = Attr(True)
    allow_missing_files = Attr(False)
    _within = Attr(())
    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        given = *words(self.checkpoint_prefixes), text(self.destination_prefix)
        confined = [gfile.confined(one, self._within, writes=True) for one in given]
        prefixes, destination = confined[:-1], confined[-1]
        if self.allow_missing_files:
            prefixes = [one for one in prefixes if gfile.exists(f"{one}.index")]
        if len(set(prefixes)) < len(prefixes):
            raise InvalidArgumentError(f"MergeV2Checkpoints: a prefix stands twice: {prefixes}")
        merged: dict[str, Any] = {}
        for reader in map(BundleReader, prefixes):
            merged |= {key: reader.read(key) for key in reader.keys()}
        write_bundle(destination, merged)
        for one in prefixes:
            if one != destination:
                delete(one, self.delete_old_dirs)
        return ()


def text(array: Any) -> str:
    """The only element, a string."""
    return array[()].decode()


def words(array: Any) -> list[str]:
    """All elements, which are strings."""
    return [one.decode() for one in array.reshape(-1)]


def parts_of(
    at: str, names: Sequence[str], slices: Sequence[str], tensors: Sequence[Any]
) -> list[SavedPart]:
    """The parts to write that tensors with these names and texts are.

    Raises:
        InvalidArgumentError: a text says no slice, or one of another shape than the tensor has.
    """
    if len(slices) != len(names):
        raise InvalidArgumentError(f"{at}: {len(slices)} slices do not go with {len(names)} names")
    found: list[SavedPart] = []
    for name, part, tensor in zip(names, slices, tensors, strict=True):
        if not part:
            found.append(SavedPart(name, tensor.shape, ((0, -1),) * tensor.ndim, tensor))
            continue
        shape = sizes_of(name, part)
        spans = sliced(name, part, shape)
        extents = [(0, -1) if one == slice(None) else (one.start, one.stop - one.start)
                   for one in spans]  # fmt: skip
        sizes = [len(range(size)[one]) for one, size in zip(spans, shape, strict=True)]
        if sizes != list(tensor.shape):
            raise InvalidArgumentError(
                f"{at}: Slice in shape_and_slice specification does not match the shape of the "
                f"tensor to save: {part}, tensor: {list(tensor.shape)}"
            )
        found.append(SavedPart(name, shape, tuple(extents), tensor))
    return found


def piece_of(part: SavedPart) -> Piece:
    """The same for a bundle, where what has no parts has no extents."""
    if part.array.shape == part.shape:
        return Piece(part.name, part.array)
    extents = [
        (0, size) if length < 0 else (start, length)
        for (start, length), size in zip(part.extents, part.shape, strict=True)
    ]
    return Piece(part.name, part.array, part.shape, tuple(extents))


def sizes_of(name: str, part: str) -> tuple[int, ...]:
    """The sizes of the tensor of which a text says a slice."""
    try:
        return tuple([int(size) for size in part.split(" ")[:-1]])
    except ValueError:
        raise InvalidArgumentError(f"'{name}': {part!r} says no shape and slice") from None


def restored(reader: Any, name: str, part: str, dtype: Any) -> Any:
    """A tensor of a bundle, or a slice of it."""
    if name not in reader:
        raise NotFoundError(f"Key {name} not found in checkpoint")
    spec = reader.spec(name)
    have = spec.dtype
    if have is not dtype:
        raise InvalidArgumentError(
            f"tensor_name = {name}; expected dtype {dtype.name} does not equal original dtype "
            f"{have.name}"
        )
    return part_of_value(reader, name, part)


def part_of_value(reader: Any, name: str, part: str) -> Any:
    """A tensor of a bundle, or the slice of it that a text says.

    Raises:
        InvalidArgumentError: the text says no slice, or one of another shape.
    """
    if not part:
        return reader.read(name)
    shape = tuple([size or 0 for size in reader.spec(name).shape.as_list()])
    return reader.read_part(name, sliced(name, part, shape))


def sliced(name: str, part: str, shape: tuple[int, ...]) -> tuple[slice, ...]:
    """What a text of sizes and slices says: `4 10 0,2:-` are the first two rows of [4, 10].

    Raises:
        InvalidArgumentError: it says something else, or of another shape.
    """
    *sizes, parts = part.split(" ")
    try:
        spans = [slice(None) if one == "-" else span(one) for one in parts.split(":")]
        fits = [int(size) for size in sizes] == list(shape) and len(spans) == len(shape)
        fits = fits and all(map(lies_in, spans, shape))
    except ValueError:
        fits, spans = False, []
    if not fits:
        raise InvalidArgumentError(f"'{name}': {part!r} is no slice of a tensor of shape {shape}")
    return tuple(spans)


def lies_in(span: slice, size: int) -> bool:
    """Whether an axis has all of a span, which may be all of the axis."""
    return span == slice(None) or 0 <= span.start <= span.stop <= size


def span(text: str) -> slice:
    """`start,length`."""
    start, length = (int(one) for one in text.split(","))
    return slice(start, start + length)


def delete(prefix: str, folders: bool) -> None:
    """Delete the files of a bundle, and their folder, if wanted, where nothing is left in it."""
    for file in gfile.glob(f"{prefix}.index") + gfile.glob(f"{prefix}.data-*"):
        gfile.remove(file)
    folder = prefix.rpartition("/")[0]
    if folders and folder and gfile.isdir(folder) and not gfile.listdir(folder):
        gfile.rmtree(folder)


OPERATIONS: Final = (
    "LoadAndRemapMatrix", "MergeV2Checkpoints", "Restore", "RestoreSlice", "RestoreV2", "Save",
    "SaveSlices", "SaveV2",
)  # fmt: skip
