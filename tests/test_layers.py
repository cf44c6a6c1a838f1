"""The order of folders and the libraries required, read from the imports; and the size of files."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.sources import PACKAGE, ROOT, read, sources

# Data flows down this list: a folder imports only from folders above it, and from itself.
# What stands on one line is a level: its members do not import each other.
LEVELS = (
    ("errors", "config"),
    ("core",),
    ("ops",),
    ("eager",),
    ("graph",),
    ("formats",),
    ("autodiff",),
    ("control",),
    ("autograph",),
    ("compiler",),
    ("xla",),
    ("backends",),
    ("function",),
    ("module",),
    (
        "checkpoint",
        "feature_columns",
        "linear_operators",
        "numpy_api",
        "summary",
        "testing",
    ),
    ("data",),
    ("distribution", "dtensor"),
    ("saved_model",),
    ("data_service",),
    ("version_one",),
    ("api",),
    ("__init__",),
    ("compat",),
    ("cli",),
)
LEVEL = {folder: level for level, folders in enumerate(LEVELS) for folder in folders}

# Third-party packages and the only places that may know them.
OWNERS = {
    "llvmlite": ("compiler",),
    "jax": ("xla",),
    "google": ("graph/proto", "graph/serialized", "formats", "checkpoint", "saved_model"),
    "google_crc32c": ("formats",),
    "re2": ("ops/strings",),
    "scipy": ("ops",),
    "typer": ("cli",),
    "rich": ("cli",),
    "keras": ("compat",),
    "absl": ("testing/foundation.py",),
}

# Packages that only an extra of ours brings: who asks for one names it in an error.
OF_EXTRAS = {"absl": "testing", "jax": "xla"}

# What later Pythons than the oldest bring along.
LATER_MODULES = {"annotationlib"}

# The package's own face: `import tensormill` is lazy and may name any layer.
FACE = ("__init__.py", "__main__.py")

# What functions return, of which operations do not know the class: only type checkers read it.
TELLS_CHECKERS = Path("ops", "results.py")

LONGEST_FILE = 600

# A module that a function imports while it runs, and that needs the function's own module: a circle
# that only the function's delay hides. Each has its reason; whoever unties one deletes its line.
CLIMBS = {
    # What a value can do is written elsewhere than what it is.
    ("core.type_spec", "core.tree"): "users' specs are made of structures of specs",
    ("graph.ir", "graph.evaluate"): "eager calls know a graph by `run` only",
    ("graph.ir", "graph.text"): "a graph prints itself",
    ("graph.by_hand.members", "graph.proto.node_creation"): "`graph.create_op` reads protos",
    ("graph.by_hand.members", "graph.by_hand.default_graph"): "around all graphs is that one",
    ("eager.tensor", "eager.convert"): "`bool` of a client's object is that of a tensor",
    ("core.shapes", "core.dimension"): "`shape.entries` are made of sizes",
    (
        "graph.func_graph",
        "graph.by_hand.variables",
    ): "a graph that is built by hand makes variables",
    ("graph.operation", "graph.proto.graphdef"): "`operation.node_def` is a proto",
    ("ops.array.indexed_slices", "ops.math.segments"): "a conversion to a tensor adds slices up",
    ("ops.ragged.ragged_tensor", "ops.ragged.conversion"): "its methods make others of its class",
    ("ops.ragged.ragged_tensor", "ops.ragged.slicing"): "its methods make others of its class",
    (
        "ops.sparse.sparse_tensor",
        "ops.sparse.beside_dense",
    ): "operators of SparseTensor make others",
    # Gradients and rules speak of operations that are made of the one they belong to.
    ("ops.array.gather", "ops.array.scatter"): "the gradient of either is the other",
    ("ops.random.draws", "ops.random.keyed"): "many numbers are drawn by a keyed operation",
    # One construct inside of another.
    ("compiler.inlining", "compiler.program"): "what is not inlined is a program of its own",
    ("data.dataset", "data.files"): "methods of datasets make datasets of files",
    ("data.file_methods", "data.files"): "methods of datasets make datasets of files",
    (
        "data.file_methods",
        "data.snapshots.saved_datasets",
    ): "methods of datasets make datasets of files",
}

# Where circles may be of delayed imports: a rule or a gradient is made of other operations, and
# theirs of it. While they are imported none of these modules needs another one of its circle.
MADE_OF_EACH_OTHER = {
    "ops.array", "ops.math", "ops.checks.assertions", "ops.nn.activations",
    "ops.strings.spans.joining",
    "ops.strings.spans.looking", "ops.strings.spans.spans",
}  # fmt: skip

# Who imports what a text names, which none of these tests can follow, and why.
BY_TEXT = {
    "__init__": "compiled products and operations are wanted when operands are large",
    "data.base": "a dataset as a GraphDef needs all that SavedModels are written with",
    "api.lazy": "public names are tables of modules",
    "backends": "one of two is wanted",
    "compat.for_children.tensorflow": "it stands outside of the library, on a path of its own",
    "compat.private_keras": "Keras is one of two, which users may not have",
    "compat.keras": "Keras asks where it is imported from",
    "compat.private_modules.tools.small_tools": "a module that a script names is imported late",
    "compiler.machine.jit": "LLVM is not imported where code comes from the disk",
    "compiler.machine.long_calls": "LLVM is not imported where code comes from the disk",
    "compiler.machine.stored_programs": "errors are found by the names that are stored",
    "core.extras": "libraries that users may not have",
    "distribution.asked_resolvers": "clients of services, which users may not have",
    "version_one.programs": "flags are absl's, which only programs with flags need",
    "graph.proto.graphdef": "what TensorFlow has no operations for is known by a later folder",
    "graph.proto.graphdef_import": "operations on datasets belong to a later folder",
    "graph.proto.graph_import": "operations on files belong to a later folder",
    "core.tensorflow_names": "messages are wanted by few, and made by later folders",
    "core.type_spec": "operations that write messages belong to a later folder",
    "core.type_spec_names": "specs of linear operators belong to a later folder",
    "core.values": "tf.Tensor is of a later folder, and specs say that it is the class of values",
    "core.process.floating_point_warnings": "a module that NumPy does not show",
    "ops.catalogue": "all modules of a folder",
    "ops.control.stablehlo_programs": "parts of JAX, which users may not have",
    "ops.dispatch.meanings": "what functions mean for composites, listed by functions' modules",
    "ops.shared_rules": "machine code from the disk names the rules that it calls",
}


@cache
def imports(path: Path) -> list[tuple[int, str]]:
    """(Line, absolute dotted name) of every import in a file, wherever it stands."""
    return [*read_imports(path)]


def read_imports(path: Path) -> Iterator[tuple[int, str]]:
    package = package_of(path)
    for node, *_ in read(path).imports:
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        else:
            yield from ((node.lineno, name) for name in imported_names(node, package))


@cache
def package_of(path: Path) -> tuple[str, ...]:
    return path.relative_to(PACKAGE.parent).parent.parts


def imported_from(node: ast.ImportFrom, package: tuple[str, ...]) -> list[str]:
    above = package[: len(package) - node.level + 1] if node.level else ()
    return [*above, *(node.module.split(".") if node.module else ())]


def imported_names(node: ast.ImportFrom, package: tuple[str, ...]) -> list[str]:
    base = imported_from(node, package)
    if len(base) > 1 or base[0] != PACKAGE.name:
        return [".".join(base)]
    return [".".join([*base, alias.name]) for alias in node.names]


@cache
def folder_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def folder_imports(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (line, folder) for every import of this package."""
    for line, name in imports(path):
        parts = name.split(".")
        if parts[0] == PACKAGE.name:
            yield line, parts[1] if len(parts) > 1 else "__init__"


def inner_sources() -> list[Path]:
    return [path for path in sources() if str(path.relative_to(PACKAGE)) not in FACE]


def test_every_folder_has_a_level() -> None:
    assert {folder_of(path) for path in inner_sources()} <= LEVEL.keys()


def test_a_folder_imports_only_from_folders_above_it() -> None:
    violations = [
        f"{path.relative_to(ROOT)}:{line}: {folder_of(path)} imports {target}"
        for path in inner_sources()
        for line, target in folder_imports(path)
        if target in LEVEL
        and target != folder_of(path)
        and not is_above(target, folder_of(path))
        and path != PACKAGE / TELLS_CHECKERS
    ]

    assert violations == []


def is_above(target: str, folder: str) -> bool:
    return LEVEL[target] < LEVEL[folder]


def modules() -> dict[str, Path]:
    """By dotted name below the package."""
    return {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts): path for path in inner_sources()
    }


def module_imports(path: Path) -> Iterator[tuple[str, bool]]:
    """(Dotted name below the package, whether a function imports it), but for what types need."""
    for node, is_late, is_for_types in read(path).imports:
        if isinstance(node, ast.ImportFrom) and not is_for_types:
            base = imported_from(node, package_of(path))
            if base[0] == PACKAGE.name:
                yield from ((".".join([*base[1:], alias.name]), is_late) for alias in node.names)


def early_and_late() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """For each module: those that it imports at once, and those that its functions import."""
    known = modules()
    early, late = {name: set[str]() for name in known}, {name: set[str]() for name in known}
    for module, path in known.items():
        for name, is_late in module_imports(path):
            target = name if name in known else name.rpartition(".")[0]
            if target in known:
                (late if is_late else early)[module].add(target)
    return early, late


def reached(module: str, early: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    ahead = [module]
    while ahead:
        new = early[ahead.pop()] - found
        found |= new
        ahead.extend(new)
    return found


def test_what_functions_import_does_not_need_them() -> None:
    early, late = early_and_late()
    needed = {module: reached(module, early) for module in early}
    climbs = {
        (module, target)
        for module, targets in late.items()
        for target in targets - early[module]
        if module in needed[target]
    }

    assert set(CLIMBS) == climbs


def test_modules_need_each_other_in_no_circle_of_delayed_imports() -> None:
    early, late = early_and_late()
    needs = {module: early[module] | late[module] for module in early}
    for module, target in CLIMBS:
        needs[module].discard(target)
    within = {module: reached(module, needs) for module in needs}
    in_circles = {module for module in needs if module in within[module]}

    assert MADE_OF_EACH_OTHER == {
        next((one for one in MADE_OF_EACH_OTHER if f"{module}.".startswith(f"{one}.")), module)
        for module in in_circles
    }


def test_few_import_what_a_text_names() -> None:
    importing = {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")
        for path in sources()
        if read(path).names_an_importer
    }

    assert set(BY_TEXT) == importing


def test_what_a_module_imports_at_once_its_functions_do_not_import_again() -> None:
    early, late = early_and_late()

    assert {module: again for module in late if (again := late[module] & early[module])} == {}


def test_modules_name_others_from_where_they_stand() -> None:
    """`from ..core import`, everywhere: one way, which shows how far a module reaches."""
    absolute = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sources()
        for node, *_ in read(path).imports
        if isinstance(node, ast.ImportFrom) and not node.level
        if (node.module or "").split(".")[0] == "tensormill"
    ]

    assert absolute == []


def test_named_tuples_are_the_ones_that_are_quickly_made() -> None:
    """Decision 6. A generic one has to be of typing's."""
    slow = [
        str(path.relative_to(PACKAGE))
        for path in sources()
        for node, _, is_for_types in read(path).imports
        if isinstance(node, ast.ImportFrom) and node.module == "typing" and not is_for_types
        if "NamedTuple" in [alias.name for alias in node.names]
    ]

    assert slow == ["core/tokens.py"]


@pytest.mark.sampled
@pytest.mark.parametrize("library", OWNERS)
def test_a_library_is_known_only_where_it_is_used(library: str) -> None:
    violations = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sources()
        for line, name in imports(path)
        if name.split(".")[0] == library
        and not any(path.is_relative_to(PACKAGE / owner) for owner in OWNERS[library])
    ]

    assert violations == []


def test_tensorflow_is_never_imported() -> None:
    importers = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sources()
        for line, name in imports(path)
        if name.split(".")[0] == "tensorflow"
    ]

    assert importers == []


def test_whatever_is_imported_is_required() -> None:
    """An environment of tests has more than an installation of the library alone."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    required = {re.split("[<>=~! ]", one)[0] for one in project["dependencies"]}
    wanted = {
        distribution_of(name)
        for path in sources()
        for _, name in imports(path)
        if name.split(".")[0] not in sys.stdlib_module_names | LATER_MODULES | OF_EXTRAS.keys()
    }

    assert wanted - {PACKAGE.name} <= required
    assert set(OF_EXTRAS.values()) <= project["optional-dependencies"].keys()


def distribution_of(module: str) -> str:
    """What brings a module: a distribution of its name, but for those that Google makes."""
    first, _, rest = module.partition(".")
    if first == "re2":
        return "google-re2"
    return rest.split(".")[0] if first == "google" else first.replace("_", "-")


@pytest.mark.parametrize("folder", ["src", "tests", "bench", "examples"])
def test_no_file_is_too_long_to_read(folder: str) -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text().splitlines())
        for path in sources(ROOT / folder)
    }

    assert {path: length for path, length in lengths.items() if length > LONGEST_FILE} == {}


def test_shapes_tell_the_library_entries_and_clients_dims() -> None:
    """`shape.dims` are objects of TensorFlow 1's: `is None` is never true of one."""
    others = "self key new old wide narrow mine theirs".split()  # keys of traces have `dims`
    not_theirs = "".join(rf"(?<!{name}\.dims)" for name in others)
    asked = re.compile(rf"\.dims\b{not_theirs}(?!\()")  # what begins alike is found quickly
    found = [path for path in sources() if asked.search(path.read_text())]

    assert [PACKAGE / "core" / "shapes.py"] == found
