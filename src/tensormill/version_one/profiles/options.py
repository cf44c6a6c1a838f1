"""`tf.compat.v1.profiler.ProfileOptionBuilder`: what of a graph is counted, shown and sorted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

_ALL = [".*"]


class ProfileOptionBuilder:
    """Options of `tf.compat.v1.profiler.profile`, one method for each; `build()` gives the dict.

    `options`: a dict to begin with, as one of the static methods gives it.

    >>> build = tf.compat.v1.profiler.ProfileOptionBuilder
    >>> build(build.float_operation()).with_empty_output().build()["output"]
    'none'
    """

    def __init__(self, options: dict[str, Any] | None = None) -> None:
        self._options: dict[str, Any] = (
            dict(options)
            if options is not None
            else _options(max_depth=100, account_displayed_op_only=False, select=["micros"])
        )

    @staticmethod
    def trainable_variables_parameter() -> dict[str, Any]:
        """Options to count the parameters of trainable variables, sorted by their names."""
        return _options(account_type_regexes=["_trainable_variables"], select=["params"])

    @staticmethod
    def float_operation() -> dict[str, Any]:
        """Options to count operations on floats, the most first."""
        return _options(min_float_ops=1, order_by="float_ops", select=["float_ops"])

    @staticmethod
    def time_and_memory(
        min_micros: int = 1, min_bytes: int = 1, min_accelerator_micros: int = 0,
        min_cpu_micros: int = 0, min_peak_bytes: int = 0, min_residual_bytes: int = 0,
        min_output_bytes: int = 0,
    ) -> dict[str, Any]:  # fmt: skip
        """Options for times and bytes, which `profile` refuses: nobody measures them."""
        return _options(
            min_bytes=min_bytes, min_peak_bytes=min_peak_bytes, min_micros=min_micros,
            min_residual_bytes=min_residual_bytes, min_output_bytes=min_output_bytes,
            min_accelerator_micros=min_accelerator_micros, min_cpu_micros=min_cpu_micros,
            order_by="micros", select=["micros", "bytes"],
        )  # fmt: skip

    def build(self) -> dict[str, Any]:
        """The options, as a dict."""
        return dict(self._options)

    def with_max_depth(self, max_depth: int) -> Self:
        """Show names of at most so many parts."""
        return self._with(max_depth=max_depth)

    def with_min_memory(
        self, min_bytes: int = 0, min_peak_bytes: int = 0, min_residual_bytes: int = 0,
        min_output_bytes: int = 0,
    ) -> Self:  # fmt: skip
        """Show what takes that many bytes at least: nobody measures them."""
        return self._with(
            min_bytes=min_bytes, min_peak_bytes=min_peak_bytes,
            min_residual_bytes=min_residual_bytes, min_output_bytes=min_output_bytes,
        )  # fmt: skip

    def with_min_execution_time(
        self, min_micros: int = 0, min_accelerator_micros: int = 0, min_cpu_micros: int = 0
    ) -> Self:
        """Show what takes that long at least: nobody measures it."""
        return self._with(
            min_micros=min_micros, min_accelerator_micros=min_accelerator_micros,
            min_cpu_micros=min_cpu_micros,
        )  # fmt: skip

    def with_min_parameters(self, min_params: int) -> Self:
        """Show what has that many parameters at least."""
        return self._with(min_params=min_params)

    def with_min_occurrence(self, min_occurrence: int) -> Self:
        """Show what is there that often at least."""
        return self._with(min_occurrence=min_occurrence)

    def with_min_float_operations(self, min_float_ops: int) -> Self:
        """Show what counts that many operations on floats at least."""
        return self._with(min_float_ops=min_float_ops)

    def with_accounted_types(self, account_type_regexes: Sequence[str]) -> Self:
        """Count what has such a type only: of an operation, or '_trainable_variables'."""
        return self._with(account_type_regexes=list(account_type_regexes))

    def with_node_names(
        self, start_name_regexes: Sequence[str] | None = None,
        show_name_regexes: Sequence[str] | None = None,
        hide_name_regexes: Sequence[str] | None = None,
        trim_name_regexes: Sequence[str] | None = None,
    ) -> Self:  # fmt: skip
        """Which names are shown: from where on, which, which not, and which are cut off."""
        given = {
            "start_name_regexes": start_name_regexes, "show_name_regexes": show_name_regexes,
            "hide_name_regexes": hide_name_regexes, "trim_name_regexes": trim_name_regexes,
        }  # fmt: skip
        return self._with(**{name: list(one) for name, one in given.items() if one is not None})

    def account_displayed_op_only(self, is_true: bool) -> Self:
        """Whether totals count what is shown, or all."""
        return self._with(account_displayed_op_only=is_true)

    def with_empty_output(self) -> Self:
        """Print nothing."""
        return self._with(output="none")

    def with_stdout_output(self) -> Self:
        """Print what was counted."""
        return self._with(output="stdout")

    def with_file_output(self, outfile: str) -> Self:
        """Write what was counted to a file."""
        return self._with(output=f"file:outfile={outfile}")

    def with_timeline_output(self, timeline_file: str) -> Self:
        """Refused by `profile`: there are no times."""
        return self._with(output=f"timeline:outfile={timeline_file}")

    def with_pprof_output(self, pprof_file: str) -> Self:
        """Refused by `profile`: there are no times."""
        return self._with(output=f"pprof:outfile={pprof_file}")

    def order_by(self, attribute: str) -> Self:
        """Sort by 'name', 'params', 'float_ops' or 'occurrence'."""
        return self._with(order_by=attribute)

    def select(self, attributes: Sequence[str]) -> Self:
        """Show some of 'params', 'float_ops' and 'occurrence'."""
        return self._with(select=list(attributes))

    def with_step(self, step: int) -> Self:
        """Of which step: it changes nothing."""
        return self._with(step=step)

    def _with(self, **options: Any) -> Self:
        self._options.update(options)
        return self


def _options(**own: Any) -> dict[str, Any]:
    return {
        "max_depth": 10000, "min_bytes": 0, "min_micros": 0, "min_params": 0, "min_float_ops": 0,
        "min_occurrence": 0, "order_by": "name", "account_type_regexes": list(_ALL),
        "start_name_regexes": list(_ALL), "trim_name_regexes": [],
        "show_name_regexes": list(_ALL), "hide_name_regexes": [],
        "account_displayed_op_only": True, "select": ["params"], "step": -1, "output": "stdout",
        **own,
    }  # fmt: skip
