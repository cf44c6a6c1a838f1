"""The command `tensormill`: its options and the list of its commands."""

from __future__ import annotations

from typing import Annotated

import typer

import tensormill

from .plan.command import plan
from .run import Ready, execute, run

app = typer.Typer(
    name="tensormill",
    help="TensorFlow 2 programs, compiled: each tf.function becomes one piece of machine code.",
    no_args_is_help=True,
    add_completion=False,
    # A script's traceback is the script's: see run.py.
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

# Options of the script that follow its name belong to the script.
app.command("run", context_settings={"allow_interspersed_args": False})(run)
app.command("plan")(plan)


@app.command("doctor")
def doctor() -> None:
    """Show versions, processor, BLAS, cache and extras; fail if something needed is missing."""
    from .doctor import report  # what it looks at would slow the start of every script

    if not report():
        raise typer.Exit(1)


# Another command line, which is only loaded for who asks.
HANDED_ON = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


@app.command("saved-model", context_settings=HANDED_ON)
def saved_model(context: typer.Context) -> None:
    """Look into SavedModels: `saved-model show DIRECTORY`."""
    from .saved_model import app as inner

    inner(context.args, prog_name="tensormill saved-model")


def print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tensormill {tensormill.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and leave.", callback=print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Take the options that stand before a command's name."""


def main() -> None:
    """Run the command line of this process."""
    try:
        app(prog_name="tensormill")
    except Ready as ready:
        module, script = ready.module, ready.script
    else:
        return
    execute(module, script)
