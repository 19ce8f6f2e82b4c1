"""What checking finds."""

from __future__ import annotations

from dataclasses import dataclass

from gdl.diagnostic import Diagnostic


@dataclass(frozen=True)
class Finding:
    """A diagnostic, and the variant with which alone it comes up (None: with none)."""

    diagnostic: Diagnostic
    variant: str | None = None

    def to_json(self) -> dict[str, object]:
        """Return the finding as plain data."""
        return self.diagnostic.to_json() | {"variant": self.variant}
