"""Pages for a browser on this machine, each of a file that may change while it is open.

In: files of games. Out: an application that answers a browser. What then holds: it answers only
who knows its token, which is part of every address; a page hears at once that its file was saved.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Sequence
from functools import lru_cache
from html import escape
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Mount, Route
from watchfiles import awatch

from gdl.interpreter.page.document import Held, page, served_page
from gdl.interpreter.page.folder import entry_of, index_page
from gdl.interpreter.page.workshop import Workshop
from gdl.load import load_game, shipped_names
from gdl.visible import visible_line

_HOSTS = ["127.0.0.1", "localhost"]
_ALIVE = 15
"""Seconds after which a page hears that the program is still there."""
_MOST_KEPT = 8
_MOST_ASKED = 1 << 20
_GATHERED = 60
"""Milliseconds in which changes of files are taken together: editors write in several steps."""


class Server:
    """Serves pages of files, or, without files, pages of all shipped games."""

    def __init__(self, files: Sequence[str], token: str) -> None:
        """Serve these files below `/TOKEN/`."""
        self._token = token
        self._news = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.workshops = tuple(Workshop(file, self._tell) for file in files)
        self._looks = set[asyncio.Task[None]]()

    @property
    def app(self) -> Starlette:
        """The application."""
        of_files = [
            Route("/{number:int}/", self._page),
            Route("/{number:int}/state", self._state),
            Route("/{number:int}/game", self._game),
            Route("/{number:int}/events", self._events),
            Route("/{number:int}/value", self._value, methods=["POST"]),
        ]
        of_games = [Route("/{name}.html", self._shipped)]
        routes = [Route("/", self._index), *(of_files if self.workshops else of_games)]
        return Starlette(
            routes=[Mount(f"/{self._token}", routes=routes)],
            middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=_HOSTS)],
            lifespan=self._running,
        )

    # ------------------------------------------------------------------------- looking at files

    @contextlib.asynccontextmanager
    async def _running(self, app: Starlette) -> AsyncIterator[None]:
        self._loop = asyncio.get_running_loop()
        watch = asyncio.create_task(self._watch()) if self.workshops else None
        for workshop in self.workshops:
            self._look(workshop)
        try:
            yield
        finally:
            for workshop in self.workshops:
                workshop.saved()
            if watch is not None:
                watch.cancel()
            await asyncio.gather(*self._looks, return_exceptions=True)

    def _look(self, workshop: Workshop) -> None:
        """Begin to look at a file."""
        task = asyncio.create_task(asyncio.to_thread(workshop.look))
        self._looks.add(task)
        task.add_done_callback(self._looks.discard)

    async def _watch(self) -> None:
        """Wait for changes of files: of those served, and of those beside that these extend."""
        folders = {Path(workshop.path).resolve().parent for workshop in self.workshops}
        async for changes in awatch(*folders, recursive=False, step=_GATHERED, debounce=_GATHERED):
            changed = {Path(path).parent for _, path in changes if path.endswith((".yaml", ".yml"))}
            for workshop in self.workshops:
                if Path(workshop.path).resolve().parent in changed:
                    workshop.saved()
                    self._look(workshop)

    def _tell(self) -> None:
        """Let all pages ask what there is to show; called in the thread that looks."""
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    # ---------------------------------------------------------------------------------- answers

    def _of(self, request: Request) -> Workshop:
        number = int(request.path_params["number"])
        if number >= len(self.workshops):
            raise HTTPException(404)
        return self.workshops[number]

    async def _index(self, request: Request) -> Response:
        if not self.workshops:
            return HTMLResponse(await asyncio.to_thread(_shipped_index))
        links = "".join(
            f'<li><a href="{number}/">{escape(visible_line(workshop.title))}</a></li>'
            for number, workshop in enumerate(self.workshops)
        )
        return HTMLResponse(f"<!DOCTYPE html><title>Games</title><ul>{links}</ul>")

    async def _shipped(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in shipped_names():
            raise HTTPException(404)
        return HTMLResponse(await asyncio.to_thread(_shipped_page, name))

    async def _page(self, request: Request) -> Response:
        return HTMLResponse(served_page(self._of(request).title))

    async def _state(self, request: Request) -> Response:
        return JSONResponse(self._of(request).shown.to_json())

    async def _game(self, request: Request) -> Response:
        return PlainTextResponse(self._of(request).packed)

    async def _value(self, request: Request) -> Response:
        workshop = self._of(request)
        try:
            asked = json.loads((await request.body())[:_MOST_ASKED])
            name, moves = str(asked["name"]), [str(move) for move in asked["moves"]]
        except (ValueError, LookupError, TypeError):
            raise HTTPException(400) from None
        return JSONResponse(await asyncio.to_thread(workshop.value, name, moves))

    async def _events(self, request: Request) -> Response:
        workshop = self._of(request)

        async def told() -> AsyncIterator[str]:
            version = None
            while True:
                news = self._news
                if version != workshop.shown.version:
                    version = workshop.shown.version
                    yield f"data: {version}\n\n"
                    continue
                try:
                    await asyncio.wait_for(news.wait(), _ALIVE)
                except TimeoutError:
                    yield ": still here\n\n"

        return StreamingResponse(told(), media_type="text/event-stream")


@lru_cache(maxsize=1)
def _shipped_index() -> str:
    return index_page(entry_of(load_game(name)) for name in shipped_names())


@lru_cache(maxsize=_MOST_KEPT)
def _shipped_page(name: str) -> str:
    return page((Held(load_game(name)),))
