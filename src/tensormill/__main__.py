"""`python -m tensormill` is the command `tensormill`."""

from __future__ import annotations

from tensormill.cli.main import main

if __name__ == "__main__":
    main()
