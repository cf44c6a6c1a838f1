"""The memory of a variable."""

from __future__ import annotations

from sys import getrefcount
from typing import Any

import numpy as np

from ..core.specs import TensorSpec
from ..errors import FailedPreconditionError

Array = np.ndarray[Any, Any]


class Storage:
    """A variable's buffer.

    `array` keeps the promises of `EagerTensor._array`, owns its memory, and is None until there is
    a first value. Who changes it in place must be the only one that holds it (`sole_array`):
    whatever Python got from the variable before then never changes afterwards. Compiled code
    looks at the same reference count.
    """

    __slots__ = ("__weakref__", "array", "name", "spec", "trainable")

    def __init__(
        self, array: Array | None, spec: TensorSpec, name: str = "", trainable: bool = True
    ) -> None:
        self.array: Array | None = None
        self.spec = spec  # what may be assigned: the shape may have unknown sizes
        self.name = name
        self.trainable = trainable
        if array is not None:
            self.write(array)

    def read(self) -> Array:
        """The buffer.

        Raises:
            FailedPreconditionError: nothing was assigned yet.
        """
        if self.array is None:
            raise FailedPreconditionError(
                f"Error while reading resource variable {self.name}: it is uninitialized"
            )
        return self.array

    def write(self, array: Array) -> None:
        """Replace the buffer; a view of other memory is copied, so that `base` tells no tales."""
        self.array = array if array.base is None else array.copy()

    def sole_array(self) -> Array | None:
        """The buffer where nobody else holds it, else None."""
        # One reference is the attribute's, one is getrefcount's argument.
        return self.array if getrefcount(self.array) == 2 else None
