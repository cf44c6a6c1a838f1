"""What convolutions share, be it of all channels together or of each by itself."""

from __future__ import annotations

from typing import Any, ClassVar

from ...core.specs import TensorSpec
from ...errors import OpError, ShapeMismatchError, UnimplementedError
from ..demands import dims
from ..op import Op
from .windows import Windows, channels_last, require_counts, spatial_margins, spatial_part


class Filtering(Op, abstract=True):
    """A filter that slides over images, and the gradients of that."""

    strides: Any
    padding: Any
    explicit_paddings: Any
    data_format: Any
    dilations: Any
    elsewhere: ClassVar[type[OpError]] = UnimplementedError  # where strides leave space

    @property
    def spatial(self) -> int:
        """How many spatial axes there are."""
        return len(self.data_format) - 2

    def windows(self, kernel: Any) -> Windows:
        name, form = self.name, self.data_format
        require_counts(name, form, strides=self.strides, dilations=self.dilations)
        return Windows(
            tuple(kernel),
            spatial_part(name, "strides", self.strides, form, self.elsewhere),
            spatial_part(name, "dilations", self.dilations, form, ShapeMismatchError),
            self.padding,
            spatial_margins(name, self.padding, self.explicit_paddings, form),
        )

    def shape(self, sizes: Any, what: str, x: Any) -> tuple[Any, ...]:
        """The shape of an operand, once it has as many axes as it must."""
        shape = sizes.shape(x, self.spatial + 2)
        self.demand_rank(sizes, what, shape)
        return shape

    def last(self, sizes: Any, what: str, x: Any) -> tuple[Any, ...]:
        """The same with channels last."""
        return channels_last(self.shape(sizes, what, x), self.data_format)

    def demand_rank(self, sizes: Any, what: str, shape: Any) -> None:
        rank = self.spatial + 2
        message = "{}: {} must be {}-dimensional: {} (Shape must be rank {})"
        fits = len(shape) == rank
        sizes.require(fits, ShapeMismatchError, message, self.name, what, rank, shape, rank)

    def fitting(self, sizes: Any, x: Any, filter: Any, dy: Any = None) -> Any:
        """The windows and the shape of the output, channels last as in the shapes of input and of
        the output's gradient.

        Raises:
            ShapeMismatchError: they do not go together.
        """
        raise NotImplementedError

    # ---- of the gradient with respect to the filter

    def demands_of_filter(self, sizes: Any) -> Any:
        """Its `demands`: the windows and the filter's sizes."""
        own: Any = self
        filter = sizes.numbers(own.filter_sizes)
        self.demand_rank(sizes, "filter_sizes", filter)
        sizes.possible(filter)
        x = self.last(sizes, "input", own.input)
        dy = self.last(sizes, "out_backprop", own.out_backprop)
        windows, _ = self.fitting(sizes, x, filter, dy)
        return windows, filter

    def spec_of_filter(self) -> TensorSpec:
        own: Any = self
        if own.found is None:
            return TensorSpec((None,) * (self.spatial + 2), own.input.dtype)
        _, filter = own.found
        return TensorSpec(dims(filter), own.input.dtype)
