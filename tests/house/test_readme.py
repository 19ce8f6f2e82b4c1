"""The README's commands are those that continuous integration runs, and its snippets work."""

import re
from pathlib import Path

from gdl.diagnostic import Source
from gdl.load import load_source

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}[^\n]*\n(.*?)```", README, re.DOTALL)


def test_continuous_integration_runs_the_readmes_test_command() -> None:
    _, command = blocks("sh")
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    assert command.strip() in script.splitlines()


def test_the_game_in_the_readme_is_a_game() -> None:
    (text,) = blocks("yaml")
    assert load_source(Source("README.yaml", text)).title == "Hex"


def test_every_link_leads_to_a_file() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).is_file(), target
