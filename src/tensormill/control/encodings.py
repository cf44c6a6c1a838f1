"""Users' types whose values are stacked, and taken apart, as tensors that encode them."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

from ..core import tree
from ..core.type_spec import TypeSpec, encoder_of, own_encoder_of

# From a spec to the encoder that is used for its values; None where they stay as they are.
EncoderOf = Callable[[Any], Any]


def specs_of_types(values: Any) -> Any:
    """A structure with the specs of users' types, and None for all other values."""
    return tree.map_structure(
        lambda leaf: leaf._type_spec if isinstance(leaf, tree.Composite) else None, values
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
        returned[:] = [_wanted_specs(specs_of_types(result), signature, encoder)]
        return encoded(result, 0, encoder, returned[0])

    wanted = _changed(signature, encoder, lambda found, spec: tuple(found.encoding_specs(spec)))
    found = mapping(on_encoded, encoded(elems, 1, encoder), wanted)
    return decoded(batched(returned[0], _count(found), encoder), found, encoder)


def _wanted_specs(specs: Any, signature: Any, encoder: EncoderOf) -> Any:
    """What describes results of users' types: what is asked for, where something is."""
    found, wanted = tree.flatten(specs), tree.flatten(signature)
    if len(found) != len(wanted):
        return specs
    pairs = zip(found, wanted, strict=True)
    told = [own if own is None or encoder(asked) is None else asked for own, asked in pairs]
    return tree.pack_sequence_as(specs, told)


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
    return _decoded_dataset(batch(_encoded_dataset(dataset, 0)), batched(spec, size))


def unbatched_dataset(dataset: Any) -> Any:
    """The rows of each element."""
    spec = dataset.element_spec
    return _decoded_dataset(_encoded_dataset(dataset, 1).unbatch(), unbatched(spec))


def rebatched_dataset(dataset: Any, rebatch: Callable[[Any], Any], size: int | None) -> Any:
    """The rows of all elements in other batches, as `rebatch` makes these of tensors."""
    spec = unbatched(dataset.element_spec)
    return _decoded_dataset(rebatch(_encoded_dataset(dataset, 1)), batched(spec, size))


def sliced_dataset(element: Any, spec: Any, slices_of: Callable[[Any], Any]) -> Any:
    """The rows of one element, as `slices_of` makes a dataset of those of tensors."""
    parts = encoded(element, 1)
    whole = parts if isinstance(spec, tuple) else (parts,)
    return _decoded_dataset(slices_of(whole), unbatched(spec))


def _encoded_dataset(dataset: Any, least_rank: int) -> Any:
    """What stands for the elements, each in a tuple of its own where they are none."""
    spec = dataset.element_spec

    def one(*element: Any) -> Any:
        found = encoded(_element(element, spec), least_rank, specs=spec)
        return found if isinstance(spec, tuple) else (found,)

    told = _changed(spec, own_encoder_of, lambda found, one: tuple(found.encoding_specs(one)))
    return _told(dataset.map(one), told if isinstance(spec, tuple) else (told,))


def _decoded_dataset(parts: Any, specs: Any) -> Any:
    """The values that `parts` stand for.

    specs: what describes these values; of those that stand for themselves `parts` say it.
    """
    made = _element(parts.element_spec, specs)
    pairs = zip(tree.flatten(specs), tree.flatten_up_to(specs, made), strict=True)
    told = [part if own_encoder_of(spec) is None else spec for spec, part in pairs]
    values = parts.map(lambda *part: decoded(specs, _element(part, specs)))
    return _told(values, tree.pack_sequence_as(specs, told))


def _told(dataset: Any, spec: Any) -> Any:
    """A dataset that says of a tensor that it is a row of a ragged one, where `spec` does."""
    if not _covers(spec, dataset.element_spec):
        return dataset
    found = copy(dataset)
    found._element_spec = spec
    return found


def _covers(spec: Any, made: Any) -> bool:
    """Whether all tensors of the elements are as `spec` says."""
    told, found = (tree.flatten(one, expand_composites=True) for one in (spec, made))
    pairs = zip(found, told, strict=False)
    return len(told) == len(found) and all(one.is_subtype_of(other) for one, other in pairs)


def _element(element: tuple[Any, ...], spec: Any) -> Any:
    """What a function of `map` is given, as one value."""
    return element if isinstance(spec, tuple) else element[0]
