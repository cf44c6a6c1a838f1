"""Users' types whose values are stacked, and taken apart, as tensors that encode them."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

from ..core import tree
from ..core.type_spec import TypeSpec
from ..ops.extension_type import ExtensionType, encoder_of, own_encoder_of

# From a spec to the encoder that is used for its values; None where they stay as they are.
EncoderOf = Callable[[Any], Any]


def specs_of_types(values: Any) -> Any:
    """A structure with the specs of users' types, and None for all other values."""
    return tree.map_structure(
        lambda leaf: leaf._type_spec if isinstance(leaf, ExtensionType) else None, values
    )


def are_encoded(specs: Any, encoder: EncoderOf = own_encoder_of) -> bool:
    """Whether any of the specs has an encoder."""
    return any(encoder(spec) is not None for spec in tree.flatten(specs))


def encoded(
    values: Any, least_rank: int, encoder: EncoderOf = own_encoder_of, specs: Any = None
) -> Any:
    """A structure with a tuple of tensors for each value that has an encoder.

    specs: what describes the values, where that is more than they say themselves: a tensor may be
    one row of a ragged one.
    """

    def one(leaf: Any, spec: Any) -> Any:
        found = encoder(spec)
        return leaf if found is None else tuple(found.encode(spec, leaf, least_rank))

    return tree.map_structure(one, values, specs_of_types(values) if specs is None else specs)


def decoded(specs: Any, values: Any, encoder: EncoderOf = own_encoder_of) -> Any:
    """The values of which `encoded` gave this structure, or batches or slices of them."""

    def one(spec: Any, value: Any) -> Any:
        found = encoder(spec)
        return value if found is None else found.decode(spec, value)

    pairs = zip(tree.flatten(specs), tree.flatten_up_to(specs, values), strict=True)
    return tree.pack_sequence_as(specs, [one(*pair) for pair in pairs])


def batched(specs: Any, size: int | None, encoder: EncoderOf = own_encoder_of) -> Any:
    """What describes `size` values each."""
    return _changed(specs, encoder, lambda found, spec: found.batch(spec, size))


def unbatched(specs: Any, encoder: EncoderOf = own_encoder_of) -> Any:
    """What describes one value of each batch."""
    return _changed(specs, encoder, lambda found, spec: found.unbatch(spec))


def _changed(specs: Any, encoder: EncoderOf, change: Callable[[Any, Any], Any]) -> Any:
    def one(spec: Any) -> Any:
        found = encoder(spec)
        return spec if found is None else change(found, spec)

    return tree.map_structure(one, specs)


def mapped(
    mapping: Callable[..., Any],
    fn: Callable[[Any], Any],
    elems: Any,
    signature: Any,
    encoder: EncoderOf = own_encoder_of,
) -> Any:
    """`mapping(function, elems, signature)` of tensors, where `elems` may be of users' types."""
    slices = unbatched(specs_of_types(elems), encoder)
    returned: list[Any] = []

    def on_encoded(element: Any) -> Any:
        result = fn(decoded(slices, element, encoder))
        returned[:] = [specs_of_types(result)]
        return encoded(result, 0, encoder)

    wanted = _changed(signature, encoder, lambda found, spec: tuple(found.encoding_specs(spec)))
    found = mapping(on_encoded, encoded(elems, 1, encoder), wanted)
    return decoded(batched(returned[0], _count(found), encoder), found, encoder)


def _count(found: Any) -> int | None:
    """How many results were stacked, where it is known."""
    first = next(iter(tree.flatten(found)), None)
    entries = None if first is None else first.shape.entries
    return entries[0] if entries else None


def are_types(values: Any) -> bool:
    """Whether there is a value, or a spec, of a type that can be batched."""
    specs = [leaf if isinstance(leaf, TypeSpec) else None for leaf in tree.flatten(values)]
    return are_encoded([specs, specs_of_types(values)], encoder_of)


def batched_dataset(dataset: Any, batch: Callable[[Any], Any], size: int | None) -> Any:
    """A dataset in batches, as `batch` makes them of a dataset of tensors."""
    spec = dataset.element_spec

    def in_batches(element: tuple[Any, ...]) -> Any:
        return encoded(_element(element, spec), 0, specs=spec)

    parts = batch(dataset.map(lambda *element: in_batches(element)))
    return _decoded_dataset(parts, batched(spec, size))


def unbatched_dataset(dataset: Any) -> Any:
    """The rows of each element."""
    spec = dataset.element_spec
    parts = dataset.map(lambda *element: encoded(_element(element, spec), 1)).unbatch()
    return _decoded_dataset(parts, unbatched(spec))


def _decoded_dataset(parts: Any, spec: Any) -> Any:
    whole = isinstance(parts.element_spec, tuple)
    values = parts.map(lambda *part: decoded(spec, part if whole else part[0]))
    if not _covers(spec, values.element_spec):
        return values
    found = copy(values)
    found._element_spec = spec  # it says of a tensor that it is a row of a ragged one
    return found


def _covers(spec: Any, made: Any) -> bool:
    """Whether all tensors of the elements are as `spec` says."""
    told, found = (tree.flatten(one, expand_composites=True) for one in (spec, made))
    pairs = zip(found, told, strict=False)
    return len(told) == len(found) and all(one.is_subtype_of(other) for one, other in pairs)


def _element(element: tuple[Any, ...], spec: Any) -> Any:
    """What a function of `map` is given, as one value."""
    return element if isinstance(spec, tuple) else element[0]
