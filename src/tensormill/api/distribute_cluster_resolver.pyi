# Written by `make stubs` from the table beside it.

"""`tf.distribute.cluster_resolver`: who takes part in a program of several processes."""

from ..distribution.cluster_resolvers import ClusterResolver as ClusterResolver
from ..distribution.cluster_resolvers import SimpleClusterResolver as SimpleClusterResolver
from ..distribution.slurm import SlurmClusterResolver as SlurmClusterResolver
from ..distribution.cluster_resolvers import TFConfigClusterResolver as TFConfigClusterResolver
from ..distribution.cluster_resolvers import UnionResolver as UnionResolver

__all__ = ['ClusterResolver', 'SimpleClusterResolver', 'SlurmClusterResolver', 'TFConfigClusterResolver', 'UnionResolver']
