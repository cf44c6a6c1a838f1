"""The libraries that `make libraries` tries: what of each is run, and what it may lack here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

# What both environments hold, beside TensorFlow or tensormill.
SHARED: Final = ("keras==3.15.1", "tensorboard==2.21.*", "pytest>=8.2", "scipy>=1.13", "pillow>=11")
TENSORFLOW: Final = ("tensorflow-cpu==2.21.*",)
TENSORMILL: Final = ("--editable", ".[image,testing]")

# Folders and files of gpflow's tests. Left out is what reads its own sources, whose paths name the
# tests, and what needs its notebooks.
GPFLOW: Final = (
    "conditionals", "config", "covariances", "expectations", "kernels", "likelihoods", "models",
    "optimizers", "posteriors", "utilities", "test_all.py", "test_base.py", "test_base_prior.py",
    "test_base_training.py", "test_functions.py", "test_inducing_variables.py",
    "test_kullback_leiblers.py", "test_logdensities.py", "test_monitor.py",
)  # fmt: skip
GPFLOW_TOGETHER: Final = (
    "dynamic_shapes",
    "linear_noise",
    "method_equivalence",
    "model_serialization",
)


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
    # How many tests stand for one that runs, by what their ids begin with: all would take hours.
    every: Mapping[str, int] = field(default_factory=dict)
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
        needs=(
            "joblib", "lxml", "networkx", "pandas", "requests", "scikit-learn", "six", "tqdm",
            "wrapt",
        ),
        alone=("tf_keras==2.21.0",),
        environment={"TF_USE_LEGACY_KERAS": "1"},
        note="with Keras 2 (tf_keras), as on TensorFlow",
    ),
    Library(
        "tensorflow-hub",
        "0.16.1",
        programs=("hub_modules",),
        # It imports pkg_resources, which went in 81.
        needs=("setuptools<81", "requests", "six", "wrapt"),
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
            "requests", "scikit-learn", "scikit-optimize>=0.10.2", "six", "wrapt",
        ),
        alone=("tensorflow-probability==0.25.0", "tf_keras==2.21.0"),
        environment={"DDE_BACKEND": "tensorflow"},
        note="the backend tensorflow, which asks for TensorFlow Probability",
    ),
    Library(
        "dm-sonnet",
        "2.0.2",
        installed="sonnet",
        needs=("absl-py", "dm-tree", "requests", "six", "tabulate", "wrapt"),
        alone=("tf_keras==2.21.0",),
        environment={"TF_USE_LEGACY_KERAS": "1"},
        lacking={
            "src.conv_test.*UnknownSpatialDims*": "last bits of what is traced",
            "src.base_test.*before_super*": "methods work before tf.Module's initializer is called",
        },
        note="with Keras 2",
    ),
    Library(
        "gpflow",
        "2.11.0",
        published=tuple(f"tests/gpflow/{one}" for one in GPFLOW)
        + tuple(f"tests/integration/test_{one}.py" for one in GPFLOW_TOGETHER),
        empty=("tests/__init__.py",),
        every=dict.fromkeys(
            (
                "tests/gpflow/conditionals", "tests/gpflow/kernels", "tests/gpflow/models",
                "tests/gpflow/posteriors", "tests/gpflow/test_", "tests/integration",
            ),
            6,
        ),
        needs=(
            "check-shapes>=1.0.0", "deprecated", "dropstackframe", "lark", "matplotlib",
            "multipledispatch>=0.6", "pandas", "tabulate", "typing_extensions",
            "absl-py", "cloudpickle", "decorator", "dm-tree", "gast", "requests", "six",
        ),
        alone=("tensorflow-probability==0.25.0", "tf_keras==2.21.0"),
        environment={"TF_USE_LEGACY_KERAS": "1"},
        note=(
            "with Keras 2; of conditionals, kernels, models, posteriors and some more, "
            "one test in 6"
        ),
    ),
    Library(
        "tensornetwork",
        "0.4.6",
        installed="tensornetwork.backends.tensorflow",
        needs=("graphviz", "h5py", "opt_einsum", "requests"),
        note="tests of its backend tensorflow",
    ),
    Library(
        "tf-models-official",
        "2.20.0",
        installed="official.recommendation.uplift",
        needs=("absl-py", "requests", "six", "tensorflow-datasets", "wrapt"),
        alone=("tf_keras==2.21.0",),
        environment={"TF_USE_LEGACY_KERAS": "1"},
        lacking={
            "*ConcatFeaturesTest*dense_sparse_ragged": "more sizes are known than in TensorFlow",
            "*TwoTowerOutputHeadTest*saving*": "last bits",
            "*LossMetricTest*no_treatment_slice": "last bits",
        },
        note="its layers, losses and metrics of uplift; with Keras 2",
    ),
    Library(
        "tensorflow-datasets",
        "4.9.10",
        programs=("datasets_building",),
        needs=(
            "absl-py", "array_record", "dm-tree", "etils[edc,enp,epath,epy,etree]", "immutabledict",
            "importlib_resources", "opencv-python-headless", "pandas", "promise", "psutil",
            "pyarrow", "requests", "simple_parsing", "tensorflow-metadata", "termcolor", "toml",
            "tqdm", "wrapt",
        ),
        note="datasets built, read in parts, decoded, made up",
    ),
    Library(
        "tensorflow-model-optimization",
        "0.8.1",
        programs=("optimized_models",),
        needs=("absl-py", "dm-tree", "numpy", "six"),
        alone=("tf_keras==2.21.0",),
        environment={"TF_USE_LEGACY_KERAS": "1"},
        note="pruning, clustering, training that knows of quantization; with Keras 2",
    ),
    Library(
        "tensorflow-lattice",
        "2.1.1",
        programs=("lattice_layers",),
        needs=("absl-py", "matplotlib", "pandas", "scikit-learn", "six"),
        alone=("tf_keras==2.21.0",),
        environment={"TF_USE_LEGACY_KERAS": "1"},
        note="its layers; with Keras 2",
    ),
    Library(
        "tensorflow-recommenders",
        "0.7.7",
        programs=("recommenders",),
        needs=("absl-py",),
        alone=("tf_keras==2.21.0",),
        environment={"TF_USE_LEGACY_KERAS": "1"},
        note="retrieval, ranking, indices, crossed features; with Keras 2",
    ),
    Library(
        "larq",
        "0.14.0",
        programs=("larq_layers",),
        needs=("requests", "six", "terminaltables", "wrapt"),
        alone=("tf_keras==2.21.0",),
        environment={"TF_USE_LEGACY_KERAS": "1"},
        note="with Keras 2",
    ),
    Library(
        "tensorflow-gnn",
        "1.0.3",
        programs=("gnn_graphs",),
        needs=("absl-py", "mock", "networkx", "pyarrow", "requests", "six", "wrapt"),
        alone=("tf_keras==2.21.0",),
        environment={"TF_USE_LEGACY_KERAS": "1"},
        note="graphs as values, messages, layers, schemas; with Keras 2",
    ),
    Library(
        "tf-agents",
        "0.19.0",
        programs=("agents_learning",),
        needs=(
            "absl-py", "cloudpickle", "decorator", "dm-tree", "gast", "gin-config", "gym==0.26.2",
            "opt_einsum", "pygame", "requests", "six", "wrapt",
        ),
        alone=("tensorflow-probability==0.25.0", "tf_keras==2.21.0"),
        environment={"TF_USE_LEGACY_KERAS": "1"},
        note="networks, agents, replay buffers; with Keras 2",
    ),
    Library(
        "tensorflow-probability",
        "0.25.0",
        programs=(
            "probability_distributions", "probability_inference", "probability_mathematics",
        ),
        needs=(
            "absl-py", "cloudpickle", "decorator", "dm-tree", "gast", "requests", "six", "wrapt",
        ),
        alone=("tf_keras==2.21.0",),
        environment={"TF_USE_LEGACY_KERAS": "1"},
        note=(
            "distributions, bijectors, divergences, models of several parts, chains, time series, "
            "mathematics, statistics, minimizers, layers"
        ),
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
