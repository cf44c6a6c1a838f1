"""`tf.distribute.cluster_resolver`: who takes part in a program of several processes."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "distribution.cluster_resolvers": (
        "ClusterResolver SimpleClusterResolver TFConfigClusterResolver UnionResolver"
    ),
    "distribution.slurm": "SlurmClusterResolver",
}

ASKED = (
    ": there is no client for its service here; ask it by its own tools, and give what it says to "
    "SimpleClusterResolver"
)
GONE: dict[str, str] = dict.fromkeys(
    (
        "GCEClusterResolver",
        "KubernetesClusterResolver",
        "KubernetesExecutableLocation",
        "TPUClusterResolver",
    ),
    ASKED,
)

__getattr__, __dir__, __all__ = namespace(
    __name__, TABLE, public="tf.distribute.cluster_resolver", gone=GONE
)
