"""LLVM IR text becomes machine code in this process, and leaves it when it is dropped.

Object code for x86-64 is linked here (`elf.py`) into maps that modules share (`pages.py`); one
linker of LLVM's (ORC LLJIT) serves the whole process for everything else. Each module is a library
of its own: it sees the symbols that its caller names, then those of the process (libc, CPython's C
API), and nothing of other modules. Modules are compiled in their own LLVM context, so what LLVM
interns goes away with them. What owns objects of LLVM runs in threads that no signal interrupts
(`uninterrupted.py`), so that nothing is left half done, freed twice or in the wrong order.
"""

from __future__ import annotations

import importlib
import itertools
import platform
import re
import struct
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar, final

from ...config import settings
from ...core.process.locks import AwaitedLock, serialised
from ...core.process.named_tuples import NamedTuple
from ...errors import InternalError
from .cache import CachedCode, CodeCache, Json, key_of
from .division import TextPiece, divided
from .elf import NotUnderstoodError, files_of, load
from .long_calls import Compiler, side_by_side
from .pages import Pages
from .uninterrupted import run_uninterrupted

# Effort 0 runs no optimisation at all, 1 keeps code small and quick to compile (no vectorising),
# 2 is what nearly everything gets, 3 unrolls and inlines more.
EFFORTS: Final = (0, 1, 2, 3)
WITHOUT_VECTORS: Final = 1
# Lines of /proc/cpuinfo that tell processors apart, x86's and ARM's.
_PROCESSOR: Final = (
    "cpu family", "model", "model name", "flags", "CPU implementer", "CPU part", "Features",
)  # fmt: skip
# In LLVM IR text: what defines or declares functions and global variables, and, of such a line, the
# name of what is not only the module's own. `re` keeps what it compiled: code from the disk needs
# none of them.
_AT_TOP: Final = r"\n([d@][^\n]*)"
_SYMBOL: Final = (
    r"(?:(declare|define) (?!internal |private )[^@]*@([\w.]+)\("
    r"|@([\w.]+) = (?!internal |private )(\w+) )"
)
Used = TypeVar("Used")
Symbols: TypeAlias = Mapping[str, int] | Callable[[], Mapping[str, int]]
_numbers = itertools.count()
_llvm_lock: AwaitedLock | None = None
_pages: Final = Pages()
_compilers: Final[dict[tuple[Target, int], list[Compiler]]] = {}  # those that nobody uses


class Target(NamedTuple):
    """A processor to compile for, as LLVM names it, and its features (`+avx2,-avx512f,…`)."""

    cpu: str
    features: str
    triple: str

    @property
    def is_x86(self) -> bool:
        """Whether it is an x86 processor, whose oldest ones lack much."""
        return self.triple.startswith(("x86_64", "i386", "i686"))

    @property
    def is_linked_here(self) -> bool:
        """Whether our linker knows its object code, and so several files for one module."""
        return self.triple.startswith("x86_64") and "linux" in self.triple

    def has(self, feature: str) -> bool:
        """Whether the processor has an LLVM feature such as `fma` or `sse4.1`."""
        return f"+{feature}" in self.features.split(",")


@final
class NativeModule:
    """Machine code in memory. It stays there while this object lives.

    Attributes:
        name: what the module was called when it was compiled.
        metadata: what the caller stored beside the object code (from the disk cache, or as given).
        from_cache: whether the object code was read from the disk cache.
    """

    def __init__(
        self, name: str, library: Any, functions: frozenset[str], metadata: Mapping[str, Json]
    ) -> None:
        self.name = name
        self.metadata = metadata
        self.from_cache = False
        self._library = library
        self._functions = functions

    @property
    def functions(self) -> frozenset[str]:
        """Names of the functions and globals that `address` knows."""
        return self._functions

    def address(self, function: str) -> int:
        """Where `function` is in memory.

        Raises:
            InternalError: the module defines no such external function.
        """
        if function not in self._functions:
            known = ", ".join(sorted(self._functions))
            raise InternalError(f"{self.name}: no native function {function!r}, it has {known}")
        return self._library[function]


@cache
def binding() -> Any:
    """`llvmlite.binding`, imported and initialised when the first native code is wanted."""
    return run_uninterrupted(_binding)


def _binding() -> Any:
    global _llvm_lock
    llvm: Any = importlib.import_module("llvmlite.binding")
    # llvmlite lets in one thread at a time; LLVM's own locks are free when that one is out.
    _llvm_lock = AwaitedLock(is_short=True, lock=llvm.ffi.lib._lock._lock)
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm


@cache
def host() -> Target:
    """The processor that this process runs on."""
    return run_uninterrupted(_host)


def _host() -> Target:
    llvm = binding()
    features = llvm.get_host_cpu_features().flatten()
    return Target(llvm.get_host_cpu_name(), features, llvm.get_process_triple())


@cache
def processor() -> str:
    """What code for this processor depends on, without asking LLVM, which takes 16 ms to import:
    the kernel's list of the processor's features.
    """
    try:
        lines = Path("/proc/cpuinfo").read_text().split("\n\n", 1)[0].splitlines()
    except OSError:
        return repr(host())
    about = [line for line in lines if line.partition("\t")[0].rstrip() in _PROCESSOR]
    if not about:  # a kernel that tells it in other words: code for another processor could crash
        return repr(host())
    return "\n".join([platform.machine(), *about])


def compile_module(
    ir: str,
    *,
    name: str,
    symbols: Symbols | None = None,
    cache_key: str | None = None,
    cache: CodeCache | None = None,
    metadata: Mapping[str, Json] | None = None,
    effort: int = 2,
    target: Target | None = None,
) -> NativeModule:
    """Compile and link LLVM IR text; with a cache and a key, reuse and store the object code.

    Args:
        ir: a module as LLVM IR text. Functions to be called from outside have external linkage.
        name: what diagnostics call the module.
        symbols: addresses of the external functions that the text declares, or what finds them
            while the text is compiled. What is missing there is looked for in the process.
        cache_key: text that determines `ir` (`ir` itself will do). None: the cache is not used.
        cache: where object code is kept between processes.
        metadata: stored beside the object code, read back as `NativeModule.metadata`.
        effort: one of `EFFORTS`.
        target: the processor; the host's by default.

    Raises:
        InternalError: the text is not valid LLVM IR, or a symbol is nowhere.
    """
    key = None if cache is None or cache_key is None else object_key(cache_key, target, effort)
    if found := load_module(key, name=name, symbols=symbols, cache=cache):
        return found
    given: list[Mapping[str, int]] = []
    beside = [lambda: given.append(_found(symbols))]
    code, functions, imports = object_code(ir, name, target or host(), effort, beside, cache)
    about: dict[str, Json] = {
        "functions": list[Json](functions),
        "imports": list[Json](imports),
        "metadata": dict(metadata or {}),
    }
    entry = CachedCode(code, about)
    if cache is not None and key is not None:
        cache.store(key, entry)
    return link(name, entry, given[-1])


def load_module(
    key: str | None,
    *,
    name: str,
    symbols: Symbols | None = None,
    cache: CodeCache | None = None,
) -> NativeModule | None:
    """Link what the cache holds under `object_key(…)`; None if it holds nothing.

    For callers whose cache key is known before the LLVM IR text is: they need not emit it.
    """
    if cache is None or key is None:
        return None
    return linked(cache, key, lambda entry: _from_cache(name, entry, _found(symbols)))


def _found(symbols: Symbols | None) -> Mapping[str, int]:
    return symbols() if callable(symbols) else symbols or {}


def _from_cache(name: str, entry: CachedCode, symbols: Mapping[str, int]) -> NativeModule:
    module = link(name, entry, symbols)
    module.from_cache = True
    return module


def linked(cache: CodeCache, key: str, use: Callable[[CachedCode], Used]) -> Used | None:
    """What `use` makes of the cache's entry. None where there is none, or one that makes no sense:
    it is discarded, and what should have been in it is made again.
    """
    entry = cache.load(key)
    if entry is None:
        return None
    try:
        return use(entry)
    except (InternalError, LookupError, TypeError, ValueError, AttributeError, struct.error):
        cache.discard(key)
        return None


def object_key(text: str, target: Target | None = None, effort: int = 2) -> str:
    """The disk cache's key for object code made from `text`: everything that decides its bytes."""
    wanted = processor() if target is None else repr(target)
    version: str = importlib.import_module("llvmlite").__version__
    return key_of(text, version, wanted, str(effort))


class Readable(NamedTuple):
    """What LLVM makes of a text: LLVM IR after its passes, and assembly language."""

    ir: str
    assembly: str


def readable(ir: str, *, effort: int = 2, target: Target | None = None) -> Readable:
    """LLVM IR text after LLVM's passes, and its machine code, to be read by people and tests."""

    def texts() -> Readable:
        with _optimised_module(ir, "text", target or host(), effort) as (compiler, module):
            return Readable(str(module), compiler.machine.emit_assembly(module))

    return run_uninterrupted(texts)


def object_code(
    ir: str,
    name: str,
    target: Target,
    effort: int,
    beside: Sequence[Callable[[], Any]] = (),
    cache: CodeCache | None = None,
) -> tuple[bytes, list[str], list[str]]:
    """Object code, the names that it defines for others, the names that it expects.

    It is one file for each piece of the text, one behind the other; those of the library are kept
    in the cache. Other work, `beside`, is begun first, and done by the same threads.
    """

    def made_of(piece: TextPiece) -> bytes:
        its_effort = 0 if piece.is_glue else effort
        with _optimised_module(piece.text, name, target, its_effort) as (compiler, module):
            return compiler.object_of(module)

    def found_or_made(piece: TextPiece) -> bytes:
        if cache is None or not piece.is_library:
            return made_of(piece)
        key = object_key(piece.text, target, effort)
        if found := cache.load(key):
            return found.code
        code = made_of(piece)
        cache.store(key, CachedCode(code, {}))
        return code

    def made() -> tuple[bytes, list[str], list[str]]:
        pieces = [partial(found_or_made, piece) for piece in _pieces(ir, target, effort)]
        results = side_by_side([*beside, *pieces], settings.threads)
        return b"".join(results[len(beside) :]), *_symbols_of(ir)

    return run_uninterrupted(made)


def _pieces(ir: str, target: Target, effort: int) -> list[TextPiece]:
    """Texts of modules that are made of one."""
    is_divided = effort > WITHOUT_VECTORS and target.is_linked_here
    return divided(ir) if is_divided else [TextPiece(ir)]


@contextmanager
def _optimised_module(
    ir: str, name: str, target: Target, effort: int
) -> Generator[tuple[Compiler, Any]]:
    """A module, and what makes code of it.

    Some that LLVM (20) makes vectors of use values before they are there, and then its code
    generator ends the process: they are made again without vectors.
    """
    with ExitStack() as opened:
        compiler = opened.enter_context(_compiler(target, effort))
        module = opened.enter_context(_module_after_passes(ir, name, compiler))
        if effort > WITHOUT_VECTORS and _unsound(module) is not None:
            compiler = opened.enter_context(_compiler(target, WITHOUT_VECTORS))
            module = opened.enter_context(_module_after_passes(ir, name, compiler))
        yield compiler, module


def _unsound(module: Any) -> RuntimeError | None:
    try:
        module.verify()
    except RuntimeError as error:
        return error
    return None


@contextmanager
def _module_after_passes(ir: str, name: str, compiler: Compiler) -> Generator[Any]:
    """A module in a context of its own, which goes after it."""
    llvm = binding()
    with llvm.create_context() as context:
        try:
            module = llvm.parse_assembly(ir, context)
        except RuntimeError as error:
            raise _refused(name, error) from error
        with module:
            _optimise(module, name, compiler)
            yield module


def _optimise(module: Any, name: str, compiler: Compiler) -> None:
    if (error := _unsound(module)) is not None:
        raise _refused(name, error) from error
    module.name = name
    module.triple = compiler.machine.triple
    module.data_layout = str(compiler.machine.target_data)
    compiler.run_passes(module)


def _refused(name: str, error: RuntimeError) -> InternalError:
    return InternalError(f"{name}: LLVM refuses the text emitted for it: {error}")


@contextmanager
def _compiler(target: Target, effort: int) -> Generator[Compiler]:
    """One for this thread alone, and for others afterwards: LLVM's are not safe to share, and each
    new builder of passes is a loss of 1.5 KB, since llvmlite (0.50) never frees all of it.
    """
    free = _compilers.setdefault((target, effort), [])
    try:
        compiler = free.pop()
    except IndexError:
        machine = _target_machine(target, effort)
        builder = binding().create_pass_builder(machine, _options(effort))
        compiler = Compiler(machine, builder)
    try:
        yield compiler
    finally:
        free.append(compiler)


def _options(effort: int) -> Any:
    options = binding().create_pipeline_tuning_options(speed_level=effort)
    options.loop_vectorization = effort >= 2
    options.slp_vectorization = effort >= 2
    options.loop_interleaving = effort >= 2
    options.loop_unrolling = effort >= 2
    return options


def _target_machine(target: Target, effort: int) -> Any:
    """The small code model makes constants memory operands relative to the program counter; the
    linker writes stubs for calls that are too far for it.
    """
    return (
        binding()
        .Target.from_triple(target.triple)
        .create_target_machine(
            cpu=target.cpu, features=target.features, opt=effort, reloc="pic", codemodel="small"
        )
    )


def _symbols_of(ir: str) -> tuple[list[str], list[str]]:
    """The names that LLVM IR text defines for others, and those that it declares: asking LLVM for
    each takes longer.
    """
    defined, declared = set[str](), set[str]()
    for line in re.findall(_AT_TOP, f"\n{ir}"):
        if (found := re.match(_SYMBOL, line)) is None:
            continue
        kind, function, variable, linkage = found.groups()
        is_declared = kind == "declare" or linkage == "external"
        (declared if is_declared else defined).add(function or variable)
    return sorted(defined), sorted(name for name in declared if not name.startswith("llvm."))


@serialised  # a second linker would be dropped with the code that it just linked
@cache
def _linker() -> Any:
    return binding().create_lljit_compiler(_target_machine(host(), 2), suppress_errors=True)


def link(name: str, entry: CachedCode, symbols: Mapping[str, int]) -> NativeModule:
    """Object code as machine code in this process; `symbols` has what `imports_of` names.

    Raises:
        InternalError: a symbol is nowhere.
    """
    try:
        library: Any = load(entry.code, symbols, _names(entry, "functions"), _pages)
    except NotUnderstoodError:
        return link_with_llvm(name, entry, symbols)
    return NativeModule(name, library, frozenset(_names(entry, "functions")), metadata_of(entry))


def link_with_llvm(name: str, entry: CachedCode, symbols: Mapping[str, int]) -> NativeModule:
    """The same by LLVM's linker, which knows all processors and kinds of object code. It maps
    three areas per module, and never gives back the 10 KB that it remembers of each.
    """
    tracker = run_uninterrupted(lambda: _linked(name, entry, symbols))
    return NativeModule(name, tracker, frozenset(_names(entry, "functions")), metadata_of(entry))


def _linked(name: str, entry: CachedCode, symbols: Mapping[str, int]) -> Any:
    library = binding().JITLibraryBuilder()
    for file in _files(entry.code):
        library.add_object_img(file)
    for symbol, address in symbols.items():
        library.import_symbol(symbol, address)
    for function in _names(entry, "functions"):
        library.export_symbol(function)
    library.add_current_process()
    try:
        # LLVM never lets a library's name be used again, so a number goes with it.
        return library.link(_linker(), f"{name}.{next(_numbers)}")
    except RuntimeError as error:
        wanted = [symbol for symbol in _names(entry, "imports") if symbol not in symbols]
        missing = [symbol for symbol in wanted if not binding().address_of_symbol(symbol)]
        facts = f"nothing defines {', '.join(missing)}" if missing else str(error)
        raise InternalError(f"{name}: its machine code cannot be linked: {facts}") from error


def _files(code: bytes) -> list[bytes]:
    try:
        return files_of(code)
    except NotUnderstoodError:  # of another kind: it is one
        return [code]


def metadata_of(entry: CachedCode) -> Mapping[str, Json]:
    """What the caller of `compile_module` stored beside the object code."""
    metadata = entry.metadata["metadata"]
    return metadata if isinstance(metadata, dict) else {}


def imports_of(entry: CachedCode) -> list[str]:
    """The functions that the object code calls and does not define."""
    return _names(entry, "imports")


def _names(entry: CachedCode, kind: str) -> list[str]:
    names = entry.metadata[kind]
    if not isinstance(names, list):
        raise TypeError(f"the {kind} of object code are no list: {names!r}")
    return [str(name) for name in names]
