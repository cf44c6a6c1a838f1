"""Programs in StableHLO as operations: what `jax2tf` makes of functions of JAX's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.dtypes import as_dtype
from ...core.shapes import as_shape
from ...core.specs import TensorSpec
from ...errors import UnimplementedError
from ..bind import bind
from ..demands import refuse
from ..effects import World
from ..op import Attr, In, Op, Out
from ..origins import Origin
from . import stablehlo_programs
from .stablehlo_programs import NEWEST, ExportedProgram

CALLS_BACK = (
    "XlaCallModule: this program calls functions of TensorFlow (jax2tf.call_tf), which needs XLA "
    "inside TensorFlow: call the function outside of JAX's instead"
)


class XlaCallModule(Op):
    """Results of a program in StableHLO, which JAX compiles for the sizes that it meets.

    Raises:
        ImportError: the extra `tensormill[xla]` is not installed.
        InvalidArgumentError: `module` is no such program, or its arguments or results are others.
        NotFoundError: it was made for other platforms than CPUs.
        UnimplementedError: it calls functions of TensorFlow (`jax2tf.call_tf`).
    """

    args = In("[Tin]")
    output = Out("[Tout]")
    version = Attr()
    module = Attr(b"")
    Sout = Attr()
    Tout = Attr()
    dim_args_spec = Attr(())
    platforms = Attr(())
    function_list = Attr(())
    has_token_input_output = Attr(False)
    disabled_checks = Attr(())
    use_shardy_partitioner = Attr(False)
    origin = Origin.MODULES
    effects = (World.CHECKS,)  # what it says of sizes holds where nobody reads its results, too

    def demands(self, sizes: Any) -> None:
        if self.function_list or self.has_token_input_output:
            refuse(UnimplementedError, CALLS_BACK)

    def infer(self) -> tuple[TensorSpec, ...]:
        return self.promised()

    def eager(self, np: Any) -> tuple[Any, ...]:
        program = ExportedProgram(
            self.module, self.version, words(self.platforms), words(self.disabled_checks)
        )
        return stablehlo_programs.run(program, self.args, self.promised())

    def promised(self) -> tuple[TensorSpec, ...]:
        """What `Sout` and `Tout` say of the results."""
        pairs = zip(self.Sout, self.Tout, strict=True)
        return tuple([TensorSpec(as_shape(shape), as_dtype(kind)) for shape, kind in pairs])

    def vjp(self, *doutputs: Any) -> Any:
        raise LookupError(
            "gradient registry has no entry for: XlaCallModule (`jax2tf.convert` with "
            "`with_gradient=True` gives its function one)"
        )


def words(texts: Sequence[bytes | str]) -> tuple[str, ...]:
    """Attributes that files have as bytes."""
    return tuple([one.decode() if isinstance(one, bytes) else one for one in texts])


def call_module(
    args: Sequence[Any],
    *,
    version: int = 4,
    module: bytes,
    Tout: Sequence[Any],
    Sout: Sequence[Any],
    platforms: Sequence[str] = (),
    function_list: Sequence[str] = (),
    has_token_input_output: bool = False,
    disabled_checks: Sequence[str] = (),
    use_shardy_partitioner: bool = False,
) -> Any:
    """Results of a program in StableHLO (`XlaCallModule`), a list of tensors."""
    results = bind(
        XlaCallModule, list(args), version=version, module=module,
        Tout=tuple(as_dtype(kind) for kind in Tout), Sout=tuple(as_shape(shape) for shape in Sout),
        platforms=tuple(platforms), function_list=tuple(function_list),
        has_token_input_output=has_token_input_output, disabled_checks=tuple(disabled_checks),
        use_shardy_partitioner=use_shardy_partitioner,
    )  # fmt: skip
    return list(results)


def call_module_maximum_supported_version() -> int:
    """The newest version of `XlaCallModule` that there is."""
    return NEWEST


def call_module_disable_check_platform() -> str:
    """Among `disabled_checks`: that the program may be one for other platforms."""
    return "platform"
