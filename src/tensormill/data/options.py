"""`tf.data.Options`: what users may ask of how a dataset runs."""

from __future__ import annotations

import enum
from typing import Any, ClassVar


class AutoShardPolicy(enum.IntEnum):
    """How a distributed dataset is divided between workers."""

    OFF = -1
    AUTO = 0
    FILE = 1
    DATA = 2
    HINT = 3


class ExternalStatePolicy(enum.Enum):
    """What to do about state outside of a dataset that is saved."""

    WARN = 0
    IGNORE = 1
    FAIL = 2


class AutotuneAlgorithm(enum.Enum):
    """How sizes of buffers are found; here they are constants."""

    DEFAULT = 0
    HILL_CLIMB = 1
    GRADIENT_DESCENT = 2
    MAX_PARALLELISM = 3
    STAGE_BASED = 4


class OptionGroup:
    """Options of one topic. Those that nobody set are None, or what `defaults` says.

    Setting a name that is no option raises an AttributeError, a value of another type than the
    option has a TypeError: None, too.
    """

    names: ClassVar[dict[str, type]] = {}
    groups: ClassVar[dict[str, type[OptionGroup]]] = {}
    older: ClassVar[dict[str, str]] = {}
    defaults: ClassVar[dict[str, Any]] = {}

    def __init_subclass__(cls) -> None:
        """Let the class say which options there are, as `help` and `hasattr` ask it."""
        for name in (*cls.names, *cls.groups):
            setattr(cls, name, _option(name, cls.defaults.get(name)))
        for name, newer in cls.older.items():
            setattr(cls, name, _option(newer, cls.defaults.get(newer)))

    def __init__(self) -> None:
        values: dict[str, Any] = dict.fromkeys(self.names)
        values.update({name: group() for name, group in self.groups.items()})
        self.__dict__.update(values)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        name = self.older.get(name, name)
        if name not in self.__dict__:
            raise AttributeError(
                f"Cannot set the property {name} on {type(self).__name__}. It has "
                f"{sorted(self.__dict__)}"
            )
        kind = self.names.get(name) or self.groups[name]
        if not isinstance(value, kind):
            raise TypeError(
                f'Property "{name}" must be of type {kind}, got: {value!r} (type: {type(value)})'
            )
        self.__dict__[name] = value

    def merge(self, options: Any) -> Any:
        """Options like these, with what the other ones set."""
        merged = type(self)()
        for name, value in self.__dict__.items():
            theirs = options.__dict__[name]
            if isinstance(value, OptionGroup):
                merged.__dict__[name] = value.merge(theirs)
            else:
                merged.__dict__[name] = value if theirs is None else theirs
        return merged

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and all(
            getattr(self, name) == getattr(other, name) for name in self.__dict__
        )

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]


def _option(name: str, default: Any) -> property:
    def look_up(group: OptionGroup) -> Any:
        value = group.__dict__[name]
        return default if value is None else value

    return property(look_up, doc=f"The option `{name}`, or {default}.")


class AutotuneOptions(OptionGroup):
    """`options.autotune`."""

    names: ClassVar[dict[str, type]] = {
        "enabled": bool, "cpu_budget": int, "ram_budget": int, "initial_parallelism": int,
        "min_parallelism": int, "autotune_algorithm": AutotuneAlgorithm,
    }  # fmt: skip


class DistributeOptions(OptionGroup):
    """`options.experimental_distribute`."""

    names: ClassVar[dict[str, type]] = {"auto_shard_policy": AutoShardPolicy, "num_devices": int}
    defaults: ClassVar[dict[str, Any]] = {"auto_shard_policy": AutoShardPolicy.AUTO}


class OptimizationOptions(OptionGroup):
    """`options.experimental_optimization`. Accepted: what is cheap here needs no switch."""

    names: ClassVar[dict[str, type]] = dict.fromkeys((
        "apply_default_optimizations", "filter_fusion", "filter_parallelization", "inject_prefetch",
        "map_and_batch_fusion", "map_and_filter_fusion", "map_fusion", "map_parallelization",
        "noop_elimination", "parallel_batch", "seq_interleave_prefetch",
        "shuffle_and_repeat_fusion",
    ), bool)  # fmt: skip


class ThreadingOptions(OptionGroup):
    """`options.threading`."""

    names: ClassVar[dict[str, type]] = dict.fromkeys(
        ("max_intra_op_parallelism", "private_threadpool_size"), int
    )


class ServiceOptions(OptionGroup):
    """`options.experimental_service`."""

    names: ClassVar[dict[str, type]] = {"pinned": bool}


class Options(OptionGroup):
    """What to ask of a dataset, with `dataset.with_options(options)`."""

    names: ClassVar[dict[str, type]] = {
        "dataset_name": str, "deterministic": bool,
        "experimental_external_state_policy": ExternalStatePolicy, "experimental_slack": bool,
        "experimental_symbolic_checkpoint": bool, "experimental_warm_start": bool,
        "framework_type": list,
    }  # fmt: skip
    groups: ClassVar[dict[str, type[OptionGroup]]] = {
        "autotune": AutotuneOptions,
        "experimental_distribute": DistributeOptions,
        "experimental_optimization": OptimizationOptions,
        "experimental_service": ServiceOptions,
        "threading": ThreadingOptions,
    }
    older: ClassVar[dict[str, str]] = {
        "experimental_deterministic": "deterministic",
        "experimental_threading": "threading",
    }
