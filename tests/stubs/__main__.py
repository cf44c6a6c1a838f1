"""Writes the stubs of all public namespaces anew.

python -m tests.stubs
"""

from __future__ import annotations

from .namespaces import ROOT, stubs

for path, text in stubs().items():
    (ROOT / path).write_text(text)
    print(path)
