"""How variables take part in checkpoints."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from copy import deepcopy
from typing import Any, Final

from ..core.dtypes import as_dtype
from ..core.process.deprecation import deprecated
from ..core.trackable import Trackable
from ..errors import DTypeMismatchError, KnownShapeError

VARIABLE_VALUE: Final = "VARIABLE_VALUE"


class SaveSliceInfo:
    """Which part of a larger variable one is: its name and shape, where the part begins, its shape.

    >>> tf.Variable.SaveSliceInfo("whole", [4, 4], [0, 2], [4, 2]).spec
    '4 4 0,4:2,2'
    """

    def __init__(
        self, full_name: Any = None, full_shape: Any = None, var_offset: Any = None,
        var_shape: Any = None, save_slice_info_def: Any = None, import_scope: str | None = None,
    ) -> None:  # fmt: skip
        self.full_name = full_name
        self.full_shape = full_shape
        self.var_offset = var_offset
        self.var_shape = var_shape

    @property
    def spec(self) -> str:
        """The part in words: the whole shape, then `begin,size` of each axis."""
        sizes = " ".join([str(size) for size in self.full_shape])
        parts = zip(self.var_offset, self.var_shape, strict=True)
        return f"{sizes} {':'.join([f'{begin},{size}' for begin, size in parts])}"


def tell_place(slot: Any, primary: Any) -> None:
    """Let a variable that was made beside a part of one be the same part of what is beside that.

    Its whole is called by what the names of both leave over, as in TensorFlow, whose files have
    it: `w/Adam` beside `w/part_0` is `w/part_0/Adam`.
    """
    place = getattr(primary, "_save_slice_info", None)
    if place is None or slot.shape != primary.shape:
        return
    own, beside = (one.name.rpartition(":")[0] for one in (slot, primary))
    name = f"{place.full_name}/{own[len(beside) + 1 :]}"
    slot._set_save_slice_info(
        SaveSliceInfo(name, place.full_shape, place.var_offset, place.var_shape)
    )


class Saving(Trackable):
    """The state of a variable: its value, under TensorFlow's name for that."""

    name: Any
    shape: Any
    dtype: Any
    value: Any
    assign: Any
    # Which part of a larger variable it is, if it is one.
    _save_slice_info: SaveSliceInfo | None = None

    def _get_save_slice_info(self) -> SaveSliceInfo | None:
        return self._save_slice_info

    def _set_save_slice_info(self, save_slice_info: SaveSliceInfo | None) -> None:
        self._save_slice_info = save_slice_info

    @classmethod
    def from_proto(cls, variable_def: Any, import_scope: str | None = None) -> Any:
        """Not supported: `tf.train.Checkpoint` and `tf.saved_model.load` make variables again.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError(
            "variables come from checkpoints and SavedModels, not from protos"
        )

    def initialized_value(self) -> Any:
        """Not supported: a variable has its value from the beginning.

        >>> tf.Variable(2.0).read_value().numpy()
        np.float32(2.0)

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError("a variable has its value from the beginning: use read_value()")

    @deprecated(None, "Use assign instead.")
    def load(self, value: Any, session: Any = None) -> None:
        """The same as `assign`, under the name of the days of sessions.

        >>> v = tf.Variable(1.0)
        >>> v.load(2.0)
        >>> v.numpy()
        np.float32(2.0)
        """
        self.assign(value)

    def _serialize_to_tensors(self) -> dict[str, Any]:
        return {VARIABLE_VALUE: self.value()}

    def _restore_from_tensors(self, restored_tensors: Mapping[str, Any]) -> Any:
        """Take over a saved value.

        Raises:
            KnownShapeError: (a ValueError) it is of another shape.
            DTypeMismatchError: (a TypeError) it is of another dtype.
        """
        return self.assign(self._checked(restored_tensors[VARIABLE_VALUE]))

    def _checked(self, value: Any) -> Any:
        """A saved value, if this variable can have it."""
        if as_dtype(value.dtype) is not self.dtype:
            raise DTypeMismatchError(
                f"Received a value of dtype {as_dtype(value.dtype).name}, which does not equal "
                f"original dtype {self.dtype.name} of the variable {self.name} to restore"
            )
        if not self.shape.is_compatible_with(value.shape):
            raise KnownShapeError(
                f"Received incompatible tensor with shape {tuple(value.shape)} for the variable "
                f"{self.name}, whose shape is {self.shape}"
            )
        return value

    def _copy_trackable_to_cpu(self, object_map: MutableMapping[Any, Any]) -> None:
        """Bring the copy that `object_map` (by identity) has of this variable up to date."""
        if self in object_map:
            object_map[self].assign(self)
        else:
            object_map[self] = deepcopy(self)
