"""Variables of graphs that are built by hand: each session has values of its own for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core import dtypes
from ...core.specs import ResourceSpec, TensorSpec
from ...errors import UnimplementedError
from ..effects import Reads
from ..op import Attr, In, Op, Out


class VarHandleOp(Op):
    """The handle of the variable that whoever runs the graph has under this name."""

    resource = Out("resource")
    container = Attr("")
    shared_name = Attr("")
    dtype = Attr()
    shape = Attr()
    debug_name = Attr("")
    allowed_devices = Attr(())
    differentiable = False

    def infer(self) -> ResourceSpec:
        return ResourceSpec(TensorSpec(self.shape, self.dtype))

    def eager(self, np: Any) -> Any:
        raise UnimplementedError(
            "VarHandleOp: variables are made by tf.Variable where operations run at once"
        )


class OfSession(Op, abstract=True):
    """Gives the handle of something that each session has for itself, by the operation's name."""

    differentiable = False

    def made(self, value_of: Callable[[str], Any]) -> Any:
        """What a session has: `value_of` gives what it has for the tensor of a name."""
        raise NotImplementedError

    def eager(self, np: Any) -> Any:
        raise UnimplementedError(f"{self.name}: a session has what it stands for")


class VarIsInitializedOp(Op):
    """Whether the variable has a value."""

    resource = In("resource")
    is_initialized = Out("bool")
    effects = (Reads("resource"),)
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec((), dtypes.bool_)

    def eager(self, np: Any) -> Any:
        return np.bool_(self.resource.value() is not None)
