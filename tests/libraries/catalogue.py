"""The libraries that `make libraries` tries: what of each is run, and what it may lack here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

# What both environments hold, beside TensorFlow or tensormill.
SHARED: Final = ("keras==3.15.1", "tensorboard==2.21.*", "pytest>=8.2", "scipy>=1.13", "pillow>=11")
TENSORFLOW: Final = ("tensorflow-cpu==2.21.*",)
TENSORMILL: Final = ("--editable", ".[image,testing]")


@dataclass(frozen=True)
class Library:
    """One row of `docs/libraries.md`."""

    name: str
    version: str
    # Tests in the library's source archive, for pytest; and files that it lacks, which are empty.
    published: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    # The package whose tests are installed with it, for pytest.
    installed: str = ""
    # Programs in `programs/`, each function of which is a test: it returns what TensorFlow gives.
    # With `sources` they find the unpacked archive in LIBRARY_SOURCES.
    programs: tuple[str, ...] = ()
    sources: bool = False
    # What it needs, from pip. It is itself installed without what it asks for, which is TensorFlow.
    needs: tuple[str, ...] = ()
    # Installed like the library itself, since these, too, ask for TensorFlow.
    alone: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    # Tests that pass on TensorFlow and not here, as patterns for `fnmatch`, and why.
    lacking: Mapping[str, str] = field(default_factory=dict)
    # What a reader has to know of the row: how it runs at all, what is left out on both sides.
    note: str = ""


LIBRARIES: Final = (
    Library(
        "shap",
        "0.51.0",
        published=("tests/explainers/test_deep.py", "tests/explainers/test_gradient.py"),
        programs=("shap_values",),
        needs=(
            "cloudpickle", "matplotlib", "numba", "pandas", "pytest-mpl", "scikit-learn", "slicer",
            "tqdm",
        ),
        note="DeepExplainer and GradientExplainer",
    ),
    Library(
        "tensorboard",
        "2.21.0",
        programs=("tensorboard_events",),
        note="its readers of events and hparams, in the process that writes them",
    ),
    Library(
        "keras-hub",
        "0.32.0",
        programs=("keras_hub_backbones",),
        needs=("regex", "sentencepiece", "tokenizers"),
        note="18 small backbones; tokenizers ask for tensorflow-text, which needs TensorFlow",
    ),
    Library(
        "spektral",
        "1.3.1",
        programs=("spektral_graphs",),
        needs=("joblib", "lxml", "networkx", "pandas", "requests", "scikit-learn", "tqdm"),
        alone=("tf_keras==2.21.0",),
        environment={"TF_USE_LEGACY_KERAS": "1"},
        note="with Keras 2 (tf_keras), as on TensorFlow",
    ),
    Library(
        "tensorflow-hub",
        "0.16.1",
        programs=("hub_modules",),
        needs=("setuptools<81",),  # the last with pkg_resources, which it imports
        alone=("tf_keras==2.21.0",),
        environment={"TF_USE_LEGACY_KERAS": "1"},
        note="modules in folders, with Keras 2 (tf_keras)",
    ),
    Library(
        "deepxde",
        "1.15.0",
        programs=("deepxde_equations",),
        needs=(
            "absl-py", "cloudpickle", "decorator", "dm-tree", "gast", "matplotlib", "opt_einsum",
            "scikit-learn", "scikit-optimize>=0.10.2", "six",
        ),
        alone=("tensorflow-probability==0.25.0", "tf_keras==2.21.0"),
        environment={"DDE_BACKEND": "tensorflow"},
        note="the backend tensorflow, which asks for TensorFlow Probability",
    ),
    Library(
        "dm-sonnet",
        "2.0.2",
        installed="sonnet",
        needs=("absl-py", "dm-tree", "tabulate", "wrapt"),
        alone=("tf_keras==2.21.0",),
        environment={"TF_USE_LEGACY_KERAS": "1"},
        lacking={
            "src.distribute.replicator_test.*": "replicas are one device's, without parts",
            "src.conv_test.*UnknownSpatialDims*": "last bits of what is traced",
            "src.initializers_test.*": "last bits of what is traced",
            "src.base_test.*": "modules whose initializer does not call tf.Module's",
        },
        note="with Keras 2",
    ),
    Library(
        "gpflow",
        "2.11.0",
        published=tuple(
            f"tests/gpflow/{folder}"
            for folder in (
                "config", "covariances", "expectations", "likelihoods", "optimizers", "utilities",
            )
        ),
        empty=("tests/__init__.py",),
        needs=(
            "check-shapes>=1.0.0", "deprecated", "dropstackframe", "lark", "matplotlib",
            "multipledispatch>=0.6", "pandas", "tabulate", "typing_extensions",
            "absl-py", "cloudpickle", "decorator", "dm-tree", "gast", "six",
        ),
        alone=("tensorflow-probability==0.25.0", "tf_keras==2.21.0"),
        environment={"TF_USE_LEGACY_KERAS": "1"},
        lacking={
            "tests.gpflow.utilities.*": "the class of variables is Variable, not ResourceVariable",
        },
        note="with Keras 2; not run yet: conditionals, kernels, models, posteriors, integration",
    ),
    Library(
        "tensorflow-probability",
        "0.25.0",
        programs=("probability_distributions",),
        needs=("absl-py", "cloudpickle", "decorator", "dm-tree", "gast", "six"),
        alone=("tf_keras==2.21.0",),
        environment={"TF_USE_LEGACY_KERAS": "1"},
        note="distributions, bijectors, divergences, chains, minimizers",
    ),
)  # fmt: skip


def named(names: list[str]) -> list[Library]:
    """The libraries with these names, or all of them.

    Raises:
        ValueError: there is none of that name.
    """
    unknown = set(names) - {library.name for library in LIBRARIES}
    if unknown:
        known = ", ".join(library.name for library in LIBRARIES)
        raise ValueError(f"no library {', '.join(sorted(unknown))} in the catalogue: {known}")
    return [library for library in LIBRARIES if not names or library.name in names]
