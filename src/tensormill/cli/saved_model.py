"""`tensormill saved-model show`: what is in a SavedModel, without loading it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import typer
from rich import markup
from rich.console import Console, RenderableType
from rich.table import Table

from ..errors import OpError
from ..saved_model.inspect import (
    FunctionTraces,
    ModelFacts,
    ShownSignature,
    VariableFacts,
    facts_of,
)
from ..saved_model.options import INIT_SIGNATURE
from ..saved_model.read import meta_graph_of, proto_path, read_saved_model
from .console import console

app = typer.Typer(name="saved-model", help="Look into SavedModels.", no_args_is_help=True)


@app.callback()
def saved_model() -> None:
    """Look into SavedModels."""


@app.command()
def show(
    directory: Annotated[str, typer.Argument(help="The directory of the SavedModel.")],
    everything: Annotated[
        bool, typer.Option("--all", help="Functions, variables and operations as well.")
    ] = False,
    tag_set: Annotated[
        str | None, typer.Option("--tag_set", "--tag-set", help="Tags with commas between them.")
    ] = None,
    signature_def: Annotated[
        str | None, typer.Option("--signature_def", "--signature-def", help="One signature alone.")
    ] = None,
) -> None:
    """Show the signatures of a SavedModel: what they take and return."""
    output = console()
    try:
        chosen = [
            facts_of(meta, proto_path(directory)) for meta in _meta_graphs(directory, tag_set)
        ]
    except (OSError, ValueError, RuntimeError, OpError) as error:
        Console(stderr=True).print(f"[red]{escape(str(error))}[/red]", soft_wrap=True)
        raise typer.Exit(1) from None
    for facts in chosen:
        for part in _shown(facts, everything, signature_def):
            output.print(part)


def escape(text: str) -> str:
    """Text of a file, which may mean something neither to rich nor to the terminal."""
    shown = (one if one.isprintable() or one == "\n" else repr(one)[1:-1] for one in text)
    return markup.escape("".join(shown))


def _meta_graphs(directory: str, tag_set: str | None) -> list[Any]:
    proto = read_saved_model(directory)
    if tag_set is None:
        return list(proto.meta_graphs)
    return [meta_graph_of(proto, tag_set.split(","), directory)]


def _shown(
    facts: ModelFacts, everything: bool, signature_def: str | None
) -> Iterable[RenderableType]:
    if signature_def is not None:
        yield _one_signature(facts, signature_def)
        return
    tags = ", ".join(facts.tags)
    yield f"[bold]tags[/bold] {escape(tags)}   [bold]written as by TensorFlow[/bold] " + escape(
        facts.version or "?"
    )
    signatures = [one for one in facts.signatures if everything or one.key != INIT_SIGNATURE]
    yield _signatures(signatures, everything) if signatures else "no signatures"
    if not everything:
        return
    if facts.functions:
        yield _functions(facts.functions)
    if facts.variables:
        yield _variables(facts.variables)
    if facts.assets:
        yield f"[bold]assets[/bold] {escape(', '.join(facts.assets))}"
    yield f"[bold]operations[/bold] {escape(', '.join(facts.operations))}"


def _one_signature(facts: ModelFacts, key: str) -> RenderableType:
    found = [one for one in facts.signatures if one.key == key]
    if not found:
        have = ", ".join(one.key for one in facts.signatures)
        Console(stderr=True).print(f"[red]no signature '{escape(key)}'; there are {have}[/red]")
        raise typer.Exit(1)
    return _signatures(found, True)


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _signatures(signatures: Iterable[ShownSignature], with_nodes: bool) -> Table:
    columns = ("name", "", "tensor", "dtype", "shape", *(["node"] if with_nodes else []))
    table = _table("signatures", *columns)
    for signature in signatures:
        label = escape(signature.key)
        for side, tensors in (("takes", signature.inputs), ("gives", signature.outputs)):
            for one in tensors:
                row = (one.key, one.dtype, one.shape, *([one.node] if with_nodes else []))
                table.add_row(label, side, *map(escape, row))
                label = ""
        if signature.method and with_nodes:
            table.add_row(label, "method", escape(signature.method))
    return table


def _functions(functions: Iterable[FunctionTraces]) -> Table:
    table = _table("functions", "name", "trace", "argument", "value")
    for function in functions:
        label = escape(function.path)
        for number, (arguments, result) in enumerate(function.traces, 1):
            count = str(number)
            for name, text in [*arguments.items(), ("→", result)]:
                table.add_row(label, count, escape(name), escape(text))
                label = count = ""
        if not function.traces:
            table.add_row(label, "none", "", "cannot be called")
    return table


def _variables(variables: Iterable[VariableFacts]) -> Table:
    table = _table("variables", "path", "dtype", "shape", "trainable")
    for one in variables:
        table.add_row(escape(one.path), one.dtype, one.shape, "yes" if one.trainable else "no")
    return table
