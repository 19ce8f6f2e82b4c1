"""`gdl serve`: pages of games beside an editor, which follow their files."""

from __future__ import annotations

import secrets
import socket
import webbrowser
from importlib import import_module
from typing import Annotated, Any

from gdl.codes import Code
from gdl.diagnostic import refused
from gdl.interpreter.cli.declarations import argument, option
from gdl.interpreter.cli.output import write
from gdl.load import find_game

_LIBRARIES = ("starlette", "uvicorn", "watchfiles")
_HOST = "127.0.0.1"
_TOKEN_BYTES = 12
_SECONDS_TO_LEAVE = 1


def serve(
    files: Annotated[
        list[str] | None,
        argument("[FILE]...", help="Files of games; without any, all shipped games are served."),
    ] = None,
    port: Annotated[
        int,
        option(
            min=0,
            max=65535,
            metavar="N",
            help="The port on this machine; 0: one that is free.",
        ),
    ] = 0,
    browser: Annotated[bool, option("--browser/--no-browser", help="Open a browser.")] = True,
) -> None:
    """Serve pages of games that follow their files.

    They are for a browser on this machine. A game goes on by the new rules of its file as far as
    its moves are still legal, and what is found in the file stands beside the board, with its
    examples. It needs the extra `web`.
    """
    try:
        for library in _LIBRARIES:
            import_module(library)
    except ModuleNotFoundError:
        raise refused(
            Code.WRONG_OPTION,
            "What serves pages is not installed.",
            "In gdl's folder, `pip install '.[web]'` installs it.",
        ) from None
    server_module: Any = import_module("gdl.interpreter.page.server")
    uvicorn: Any = import_module("uvicorn")
    for file in files or ():
        find_game(file)
    with _listening(port) as listening:
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        server = server_module.Server(files or (), token)
        place = "0/" if len(files or ()) == 1 else ""
        address = f"http://{_HOST}:{listening.getsockname()[1]}/{token}/{place}"
        write(address)
        if browser:
            webbrowser.open(address)
        config = uvicorn.Config(
            server.app, log_level="warning", timeout_graceful_shutdown=_SECONDS_TO_LEAVE
        )
        uvicorn.Server(config).run(sockets=[listening])


def _listening(port: int) -> socket.socket:
    """Return a socket that listens on this machine. Raises GameError where the port is taken."""
    found = socket.socket()
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((_HOST, port))
        found.listen()
    except OSError as problem:
        found.close()
        raise refused(
            Code.WRONG_OPTION,
            f"The port {port} can't be taken: {problem.strerror or problem}.",
            "Without `--port`, one that is free is taken.",
        ) from None
    return found
