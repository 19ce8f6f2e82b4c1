"""The statuses that a command exits with, besides 0 where all is well."""

from __future__ import annotations

FINDINGS = 1
"""Something was found."""

WRONG_USE = 2
"""The command was used wrongly."""

TOO_LITTLE = 3
"""All that was looked at is well, but it was too little to say so of the whole."""

INTERRUPTED = 130
"""It was interrupted."""
