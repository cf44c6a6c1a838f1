"""Programs in StableHLO, as JAX exports them: compiled and run by JAX, for the sizes they meet.

A program is a portable artifact of StableHLO. Its `main` takes, before its arguments, the position
of the platform among those it was made for, where these are several
(https://docs.jax.dev/en/latest/export/export.html#module-calling-convention). Sizes that `main`
leaves open are settled here, by those of the arguments: XLA compiles no others.
"""

from __future__ import annotations

import dataclasses
import functools
import io
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Final, TypeAlias

import ml_dtypes
import numpy as np

from ...core.extras import library
from ...core.process.named_tuples import NamedTuple
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, NotFoundError, UnimplementedError

# Of each argument.
Shapes: TypeAlias = Sequence[tuple[tuple[int, ...], np.dtype[Any]]]

PLATFORM: Final = "CPU"
# The oldest whose `main` takes what ours gives it, and the newest that TensorFlow 2.21 knows.
OLDEST: Final = 4
NEWEST: Final = 10
# What the program's own `main` is called behind ours.
INNER: Final = "main_of_any_sizes"
# Whether what is no StableHLO may stay as it is.
MIXED: Final = True
# In which JAX writes what StableHLO lacks.
DIALECTS: Final = ("jax.extend.mlir.dialects.chlo", "jax.extend.mlir.dialects.sdy")
# Beginnings of what a program may call that is no StableHLO: functions of XLA's and LAPACK's.
# Others take addresses of functions and memory as numbers, which a file may say as it likes.
HARMLESS: Final = (
    "stablehlo.", "mhlo.", "chlo.", "lapack_", "ducc_fft", "shape_assertion", "Sharding", "TopK",
    "SPMDFullToShardShape", "SPMDShardToFullShape", "annotate_device_placement", "ApproxTopK",
)  # fmt: skip
# Of MLIR: signless integers are the signed ones.
NAMES: Final[Mapping[str, str]] = {
    "bool": "i1", "int4": "i4", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
    "uint4": "ui4", "uint8": "ui8", "uint16": "ui16", "uint32": "ui32", "uint64": "ui64",
    "float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64",
    "complex64": "complex<f32>", "complex128": "complex<f64>",
    "float8_e4m3fn": "f8E4M3FN", "float8_e5m2": "f8E5M2",
}  # fmt: skip
DTYPES: Final[Mapping[str, np.dtype[Any]]] = {
    element: np.dtype(getattr(ml_dtypes, name, name)) for name, element in NAMES.items()
}


class ExportedProgram(NamedTuple):
    """What decides how a module is compiled, besides its arguments."""

    module: bytes
    version: int
    platforms: tuple[str, ...]  # in capitals; none: any
    disabled_checks: tuple[str, ...]

    def platform_index(self) -> int:
        """Where the CPU stands among the platforms.

        Raises:
            NotFoundError: it is not among them, and that matters.
        """
        if PLATFORM in self.platforms:
            return self.platforms.index(PLATFORM)
        if self.platforms and "platform" not in self.disabled_checks:
            raise NotFoundError(
                f"The current platform {PLATFORM} is not among the platforms required by the "
                f"module: [{', '.join(self.platforms)}]"
            )
        return 0


def run(
    program: ExportedProgram,
    arguments: Sequence[np.ndarray[Any, Any]],
    promised: Sequence[TensorSpec],
) -> tuple[Any, ...]:
    """The program's results, as arrays.

    Raises:
        ImportError: JAX is not installed.
        InvalidArgumentError: this is no such program, or one of other arguments or sizes, or its
            results are not those `promised`.
        NotFoundError: it was made for other platforms.
        UnimplementedError: it calls what may do anything.
    """
    shapes = tuple([(one.shape, one.dtype) for one in arguments])
    compiled = _compiled(program, shapes)
    with _of_all_widths():
        results = tuple([np.asarray(one) for one in compiled(*arguments)])
    fits = len(results) == len(promised) and all(
        one.dtype == spec.dtype.storage and spec.shape.is_compatible_with(one.shape)
        for one, spec in zip(results, promised, strict=True)
    )
    if not fits:
        found = ", ".join(f"{one.dtype}{list(one.shape)}" for one in results)
        said = ", ".join(spec.short for spec in promised)
        raise InvalidArgumentError(
            f"XlaCallModule: the module gives {found}, but Sout and Tout promise {said}"
        )
    return results


@functools.lru_cache(maxsize=256)
def _compiled(program: ExportedProgram, shapes: Shapes) -> Any:
    """A function of arrays of these shapes and dtypes.

    JAX calls what it has exported itself: a function with these arguments and results is exported
    for that, and the module takes the place of what it computes.
    """
    jax = library("jax", "xla", "XlaCallModule, a program that JAX has exported,")
    if not OLDEST <= program.version <= NEWEST:
        raise InvalidArgumentError(
            f"XlaCallModule with version {program.version} is not supported: it must be at least "
            f"{OLDEST} and at most {NEWEST}"
        )
    module, results = _settled(program, shapes)
    zeros = import_module("jax.numpy").zeros
    specs = [jax.ShapeDtypeStruct(shape, dtype) for shape, dtype in shapes]

    def stands_in(*arguments: Any) -> Any:
        return tuple([zeros(shape, dtype) for shape, dtype in results])

    function = jax.jit(stands_in, keep_unused=True)
    with _of_all_widths():
        exported = import_module("jax.export").export(function, platforms=["cpu"])(*specs)
    return jax.jit(dataclasses.replace(exported, mlir_module_serialized=module).call)


def _of_all_widths() -> Any:
    """Within it, 64-bit numbers stay what they are."""
    return import_module("jax").enable_x64(True)


def _settled(program: ExportedProgram, shapes: Shapes) -> tuple[bytes, list[Any]]:
    """The module with the sizes that these arguments have, and its results' shapes and dtypes."""
    mlir, ir = import_module("jax.extend.mlir"), import_module("jax.extend.mlir.ir")
    stablehlo = import_module("jax.extend.mlir.dialects.stablehlo")
    with ir.Context() as context, ir.Location.unknown():
        for dialect in (stablehlo, *map(import_module, DIALECTS)):
            dialect.register_dialect(context)
        try:
            module = mlir.deserialize_portable_artifact(program.module)
        except Exception as error:
            raise InvalidArgumentError(f"XlaCallModule: cannot deserialize: {error}") from None
        _require_harmless(module)
        _put_before(module, program, shapes)
        with io.BytesIO() as file:
            module.operation.write_bytecode(file)
            bytecode = file.getvalue()
        try:
            refined = mlir.refine_polymorphic_shapes(bytecode, enable_shardy=True)
        except Exception as error:
            raise InvalidArgumentError(f"XlaCallModule: sizes do not fit: {error}") from None
        settled = ir.Module.parse(refined)
        _, kinds = _signature(_main(settled))
        results = [(tuple(one.shape), DTYPES[str(one.element_type)]) for one in kinds]
        version = stablehlo.get_current_version()
        return mlir.serialize_portable_artifact(settled, version, MIXED), results


def _require_harmless(module: Any) -> None:
    result = import_module("jax.extend.mlir.ir").WalkResult
    targets: list[str] = []

    def note(operation: Any) -> Any:
        if operation.name == "stablehlo.custom_call":
            targets.append(operation.attributes["call_target_name"].value)
        return result.ADVANCE

    module.operation.walk(note)
    for target in targets:
        if not target.startswith(HARMLESS):
            raise UnimplementedError(
                f"XlaCallModule: this program calls '{target}', which is neither XLA's nor "
                "LAPACK's: callbacks into Python and compiled extensions do not run from programs"
            )


def _main(module: Any) -> Any:
    named = (one for one in module.body.operations if "sym_name" in one.attributes)
    return next(one for one in named if one.attributes["sym_name"].value == "main")


def _signature(function: Any) -> tuple[Sequence[Any], Sequence[Any]]:
    kind = function.attributes["function_type"].value
    return kind.inputs, kind.results


def _put_before(module: Any, program: ExportedProgram, shapes: Shapes) -> None:
    """Another `main`, which has these arguments' sizes and calls the one that was there."""
    ir = import_module("jax.extend.mlir.ir")
    func = import_module("jax.extend.mlir.dialects.func")
    stablehlo = import_module("jax.extend.mlir.dialects.stablehlo")
    inner = _main(module)
    wanted, results = _signature(inner)
    index = program.platform_index()
    first = [index] if len(program.platforms) > 1 else []
    _require_fitting(wanted[len(first) :], shapes)
    inner.attributes["sym_name"] = ir.StringAttr.get(INNER)
    inner.attributes["sym_visibility"] = ir.StringAttr.get("private")
    given = [ir.Type.parse(_tensor_type(shape, dtype)) for shape, dtype in shapes]
    with ir.InsertionPoint(module.body):
        outer = func.FuncOp("main", ir.FunctionType.get(given, results))
    entry = outer.add_entry_block()
    with ir.InsertionPoint(entry):
        scalar = ir.RankedTensorType.get([], ir.IntegerType.get_signless(32))
        operands = [
            stablehlo.constant(ir.DenseElementsAttr.get(np.asarray(one, np.int32), type=scalar))
            for one in first
        ]
        for one, kind in zip(entry.arguments, wanted[len(first) :], strict=True):
            operands.append(one if one.type == kind else stablehlo.convert(kind, one))
        func.ReturnOp(func.CallOp(results, INNER, operands).results)


def _require_fitting(wanted: Sequence[Any], shapes: Shapes) -> None:
    if len(wanted) != len(shapes):
        raise InvalidArgumentError(
            f"Incorrect number of arguments passed to XlaCallModule = {len(shapes)}. The module "
            f"main function takes {len(wanted)} arguments"
        )
    for position, (kind, (shape, dtype)) in enumerate(zip(wanted, shapes, strict=True)):
        asked = [
            None if kind.is_dynamic_dim(axis) else size for axis, size in enumerate(kind.shape)
        ]
        fits = len(asked) == len(shape) and all(
            one in (None, size) for one, size in zip(asked, shape, strict=True)
        )
        if not fits or str(kind.element_type) != NAMES.get(dtype.name):
            raise InvalidArgumentError(
                f"XlaCallModule: argument {position} is {_tensor_type(shape, dtype)}, but the "
                f"module wants {kind}"
            )


def _tensor_type(shape: Sequence[int], dtype: np.dtype[Any]) -> str:
    return f"tensor<{'x'.join([*map(str, shape), NAMES.get(dtype.name, dtype.name)])}>"
