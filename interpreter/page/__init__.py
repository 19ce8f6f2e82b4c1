"""A game in a page: one file of HTML that plays it, without a server, a network or Python.

In: games. Out: pages. What then holds: a page asks for nothing from elsewhere, runs no script but
its own, and whatever a game's file says stands there as text.

| module      | has                                                                           |
|-------------|-------------------------------------------------------------------------------|
| `drawing`   | a board as the player draws it: places, outlines, shapes, colours             |
| `data`      | a game as plain data: its memory, its moves, its words, its looks, its module |
| `witnesses` | what of a clause is shown on the board when it has ended a game               |
| `document`  | the one file: data, and the player's scripts and styles joined                |
| `folder`    | an index of many games: pictures, families, a search                          |
| `workshop`  | a file that is worked on: its game, what is found in it, its examples         |
| `server`    | pages of such files, served beside an editor                                  |

The player's scripts are in the folder `player`: modules of JavaScript, without a build step.
"""
