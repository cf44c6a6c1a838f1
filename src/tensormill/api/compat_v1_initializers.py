"""`tf.compat.v1.initializers`: initial values of variables."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "version_one.initialization": (
        "global_variables=global_variables_initializer local_variables=local_variables_initializer "
        "tables_initializer variables=variables_initializer"
    ),
    "version_one.initializers": (
        "constant=ConstantV1 glorot_normal=GlorotNormalV1 glorot_uniform=GlorotUniformV1 he_normal "
        "he_uniform identity=IdentityV1 lecun_normal lecun_uniform ones=OnesV1 "
        "orthogonal=Orthogonal random_normal=RandomNormalV1 random_uniform=RandomUniformV1 "
        "truncated_normal=TruncatedNormalV1 uniform_unit_scaling=UniformUnitScaling "
        "variance_scaling=VarianceScalingV1 zeros=ZerosV1"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.initializers")
