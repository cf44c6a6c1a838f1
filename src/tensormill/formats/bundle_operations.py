"""Operations that read and write tensor bundles: what savers of TensorFlow 1 are made of."""

from __future__ import annotations

from typing import Any, Final

from ..core.dtypes import as_dtype
from ..core.files import gfile
from ..core.specs import TensorSpec
from ..errors import InvalidArgumentError, NotFoundError
from ..ops.effects import World
from ..ops.op import Attr, In, Op, Out
from .tensor_bundle import BundleReader, write_bundle


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
        if any(slices):
            raise InvalidArgumentError(
                "SaveV2: parts of partitioned tensors are not written here: shape_and_slices must "
                f"be empty, not {[one for one in slices if one]}"
            )
        arrays = dict(zip(names, self.tensors, strict=True))
        write_bundle(gfile.confined(text(self.prefix), self._within, writes=True), arrays)
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
        reader = BundleReader(gfile.confined(text(self.prefix), self._within, writes=False))
        return tuple(map(restored, [reader] * len(names), names, slices, self.dtypes))


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


def restored(reader: BundleReader, name: str, part: str, dtype: Any) -> Any:
    """A tensor of a bundle, or a slice of it."""
    if name not in reader:
        raise NotFoundError(f"Key {name} not found in checkpoint")
    found = reader.read(name)
    have = as_dtype(found.dtype)
    if have is not dtype:
        raise InvalidArgumentError(
            f"tensor_name = {name}; expected dtype {dtype.name} does not equal original dtype "
            f"{have.name}"
        )
    return found[sliced(name, part, found.shape)].copy() if part else found


def sliced(name: str, part: str, shape: tuple[int, ...]) -> tuple[slice, ...]:
    """What a text of sizes and slices says: `4 10 0,2:-` are the first two rows of [4, 10].

    Raises:
        InvalidArgumentError: it says something else, or of another shape.
    """
    *sizes, parts = part.split(" ")
    try:
        spans = [slice(None) if one == "-" else span(one) for one in parts.split(":")]
        fits = [int(size) for size in sizes] == list(shape) and len(spans) == len(shape)
    except ValueError:
        fits, spans = False, []
    if not fits:
        raise InvalidArgumentError(f"'{name}': {part!r} is no slice of a tensor of shape {shape}")
    return tuple(spans)


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


OPERATIONS: Final = ("MergeV2Checkpoints", "RestoreV2", "SaveV2")
