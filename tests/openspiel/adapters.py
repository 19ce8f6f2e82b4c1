"""The games that are held against OpenSpiel: an `Adapter` each, gathered in `ADAPTERS`.

OpenSpiel's rules where they might surprise:

- Go forbids simple ko only and calls a game a draw when an earlier board comes back. Ours lets
  no board come back, so turns to such a board are taken out.
- Nine Men's Morris is a draw after 200 turns, draughts after 40 actions without a capture.
- Lines of Action is a draw as soon as a board comes back, with ours when it does so a second time.
- EinStein würfelt nicht begins with two moves of chance, which set the cubes up.
- Breakthrough begins with the side at the top, draughts with the side at the bottom.
"""

import re
from collections.abc import Callable, Mapping

from .adapter import (
    Adapter,
    Pieces,
    Sites,
    State,
    Turn,
    half_turn,
    site_name,
    sites_in,
    unchanged,
    upside_down,
)

_GO_PASS = 81
_MORRIS_POINTS = (
    *("a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5"),
    *("a4", "b4", "c4", "e4", "f4", "g4"),
    *("c3", "d3", "e3", "b2", "d2", "f2", "a1", "d1", "g1"),
)


def _printed(
    row: str, symbols: Mapping[str, str], row_1_on_top: bool = False
) -> Callable[[State], Pieces]:
    """A reader of boards that OpenSpiel prints row by row.

    `row` is the pattern of one row, its group the cells; `symbols` has each piece's token. Of the
    other characters, `.`, `+` and `-` are empty cells and the rest decoration.
    """
    pattern = re.compile(row, re.MULTILINE)
    cells = {".", "+", "-"} | symbols.keys()

    def pieces(state: State) -> Pieces:
        rows = pattern.findall(str(state))
        ordered = rows if row_1_on_top else rows[::-1]
        return {
            site_name(column, number): symbols[cell]
            for number, text in enumerate(ordered)
            for column, cell in enumerate(c for c in text if c in cells)
            if cell in symbols
        }

    return pieces


def _numbered(columns: int, rows: int, row_1_on_top: bool = False) -> Callable[..., Sites]:
    """A reader of actions that are cells, counted row by row from the top of the board."""

    def sites(state: State, action: int) -> Sites:
        row, column = divmod(action, columns)
        return (site_name(column, row if row_1_on_top else rows - 1 - row),)

    return sites


def _named(state: State, action: int) -> Sites:
    """The sites of an action whose text has them by name."""
    return sites_in(state.action_to_string(action))


def _cells(state: State, action: int) -> Sites:
    """The cells of an action such as `c1xa3`, in which the letter between them is no column."""
    return tuple(re.findall(r"[a-h]\d", state.action_to_string(action)))


def _column(state: State, action: int) -> Sites:
    return (chr(ord("a") + action),)


def _column_letter(text: str) -> Sites:
    return (text[0],)


def _go_point(state: State, action: int) -> Sites:
    row, column = divmod(action, 9)
    return () if action == _GO_PASS else (site_name(column, row),)


def _brings_a_board_back(turn: Turn) -> bool:
    """OpenSpiel ends a game of Go after a stone for no other reason."""
    return bool(turn.after.is_terminal()) and turn.actions != (_GO_PASS,)


def _morris_pieces(state: State) -> Pieces:
    drawing = str(state).partition("\n\n")[0]
    points = re.findall("[.WB]", drawing)
    return {
        site: "0" if point == "W" else "1"
        for site, point in zip(_MORRIS_POINTS, points, strict=True)
        if point != "."
    }


def _morris_sites(state: State, action: int) -> Sites:
    points = re.findall(r"\d+", state.action_to_string(action))
    return tuple(_MORRIS_POINTS[int(point)] for point in points)


def _nothing(state: State) -> Pieces:
    return {}


def _nim_sites(state: State, action: int) -> Sites:
    pile, taken = re.findall(r"\d+", state.action_to_string(action))
    return (site_name(int(pile) - 1, 0), taken)


def _small_board_sites(state: State, action: int) -> Sites:
    """A board is chosen by an action of its own where it is free: that names no site."""
    found = re.match(r"Local board (\d): .\((\d),(\d)\)", state.action_to_string(action))
    if found is None:
        return ()
    board, row, column = map(int, found.groups())
    return (site_name(board % 3 * 3 + column, 8 - (board // 3 * 3 + row)),)


_HOUSES = 6


def _house(state: State, action: int) -> Sites:
    """Houses are counted against the clock from each player's left."""
    player = state.current_player()
    return (site_name(action if player == 0 else _HOUSES - 1 - action, player),)


_BOXES = 3  # along each side


def _line(text: str) -> str:
    """The edge of ours that an action draws: `h` leads right from a dot, `v` up."""
    kind, row, column = text[1:-1].split(",")
    dot = _BOXES - int(row) if kind == "h" else _BOXES - 1 - int(row)
    return f"{site_name(int(column), dot)}{kind}"


def _line_sites(state: State, action: int) -> Sites:
    return (_line(state.action_to_string(action)[2:]),)


def _lines_and_boxes(state: State) -> Pieces:
    """The board by replaying the actions: boxes belong to who drew their last line."""
    pieces: Pieces = {}
    again = state.get_game().new_initial_state()
    for action in state.history():
        player = again.current_player()
        pieces[_line_sites(again, action)[0]] = "#"
        again.apply_action(action)
        for column in range(_BOXES):
            for row in range(_BOXES):
                box, right, above = (
                    site_name(column + x, row + y) for x, y in ((0, 0), (1, 0), (0, 1))
                )
                if {f"{box}h", f"{box}v", f"{above}h", f"{right}v"} <= pieces.keys():
                    pieces.setdefault(box, str(player))
    return pieces


_HAVANNAH_SIDE = 5
_HAVANNAH_ROWS = 2 * _HAVANNAH_SIDE - 1


def _havannah_pieces(state: State) -> Pieces:
    """Rows are printed from our last one on; those below the middle begin further right."""
    rows = re.findall(r"^ *(\d+)([][ .O@]+)", str(state), re.MULTILINE)
    tokens = {"O": "0", "@": "1"}
    return {
        site_name(column + max(0, int(row) - _HAVANNAH_SIDE), _HAVANNAH_ROWS - int(row)): tokens[
            cell
        ]
        for row, text in rows
        for column, cell in enumerate(c for c in text if c in ".O@")
        if cell != "."
    }


def _havannah_sites(state: State, action: int) -> Sites:
    return tuple(map(upside_down(_HAVANNAH_ROWS), _named(state, action)))


_CUBES = {"One": "1", "Two": "2", "Three": "3", "Four": "4", "Five": "5", "Six": "6"}
_CUBE_STEPS = {
    "B": {"right": (1, 0), "diag": (1, -1), "down": (0, -1)},
    "W": {"left": (-1, 0), "diag": (-1, 1), "up": (0, 1)},
}


def _cubes(state: State) -> dict[str, str]:
    """The cubes, such as `b2`, by the names of their sites, in the board's order."""
    rows = [re.findall(r"\|(..)\|", line) for line in str(state).splitlines()]
    return {
        site_name(column, row): cube
        for row, cubes in enumerate(reversed([cubes for cubes in rows if cubes]))
        for column, cube in enumerate(cubes)
        if cube != "__"
    }


def _cube_sides(state: State) -> Pieces:
    return {site: "0" if cube[0] == "b" else "1" for site, cube in _cubes(state).items()}


def _cube_sites(state: State, action: int) -> Sites:
    """The numbers of the cubes that are set up, the number that is cast, or a step."""
    text = state.action_to_string(action)
    if text.startswith("Placing"):
        before, after = _cubes(state), _cubes(state.child(action))
        return tuple(cube[1] for site, cube in after.items() if site not in before)
    if text.startswith("roll"):
        return (text[-1],)
    cube, _, way = text.rstrip("*").partition("-")
    start = next(site for site, name in _cubes(state).items() if name == cube.lower())
    right, up = _CUBE_STEPS[cube[0]][way]
    return (start, site_name(ord(start[0]) - ord("a") + right, int(start[1]) - 1 + up))


def _cube_words(text: str) -> Sites:
    return sites_in(text) or tuple(_CUBES.get(word, word) for word in re.split("[ -]", text))


_STAR_ROWS = (1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1)


def _star() -> tuple[str, ...]:
    """The holes of the star, row by row from the top, by our names, where columns slant."""
    widest = max(_STAR_ROWS)
    names = []
    for row, holes in zip(range(len(_STAR_ROWS) - 1, -1, -1), _STAR_ROWS, strict=True):
        left = widest - holes + 12 - row  # in half steps; row 12, of 13 holes, begins in column a
        names += [site_name(left // 2 + hole, row) for hole in range(holes)]
    return tuple(names)


_STAR = _star()
_STAR_TIPS = (0, 22, 110, 120, 98, 10)
"""The tip of each point of OpenSpiel's star, clockwise from the top."""
_STAR_HOMES = {2: (0, 3), 3: (0, 2, 4), 6: (0, 1, 2, 3, 4, 5)}


def _marbles(state: State) -> Pieces:
    holes = re.findall("[.1-6]", str(state).partition("Player")[0])
    return {
        name: str(int(hole) - 1) for name, hole in zip(_STAR, holes, strict=True) if hole != "."
    }


def _jump(state: State, action: int) -> Sites:
    found = re.findall(r"\d+", state.action_to_string(action))
    return tuple(_STAR[int(hole)] for hole in found)


def _on_the_star(site: str) -> tuple[int, int]:
    return ord(site[0]) - ord("a"), int(site[1:])


def _way_home(state: State, player: int) -> int:
    """How many steps a player's marbles are from the tip that they make for, all together."""
    home = _STAR_HOMES[state.num_players()][player]
    column, row = _on_the_star(_STAR[_STAR_TIPS[(home + 3) % 6]])
    steps = 0
    for site, owner in _marbles(state).items():
        if owner == str(player):
            across, up = (to - at for to, at in zip((column, row), _on_the_star(site), strict=True))
            steps += max(abs(across), abs(up), abs(across + up))
    return steps


def _chinese_checkers(players: int, *variants: str) -> Adapter:
    return Adapter(
        game="chinese-checkers",
        openspiel=f"chinese_checkers(players={players},max_moves=600)",
        options={"leaving": True, "spoiling": True},
        variants=variants,
        pieces=_marbles,
        sites=_jump,
        by_ends=True,
        draws_are_cut_offs=True,
        distance=_way_home,
        quick_games=5 if players < 4 else 0,
    )


ADAPTERS = (
    Adapter(
        game="tic-tac-toe",
        openspiel="tic_tac_toe",
        pieces=_printed(r"^([.xo]{3})$", {"x": "0", "o": "1"}),
        sites=_numbered(3, 3),
    ),
    Adapter(
        game="connect-four",
        openspiel="connect_four",
        pieces=_printed(r"^([.xo]{7})$", {"x": "0", "o": "1"}),
        sites=_column,
        read_move=_column_letter,
    ),
    Adapter(
        game="hex",
        openspiel="hex(board_size=11)",
        options={"size": 11},
        pieces=_printed(r"^ *((?:[.xo] ){11})$", {"x": "0", "o": "1"}, row_1_on_top=True),
        sites=_numbered(11, 11, row_1_on_top=True),
        quick_games=20,
    ),
    Adapter(
        game="y",
        openspiel="y(board_size=9)",
        options={"size": 9},
        pieces=_printed(r"^ *\d(\W.*)$", {"O": "0", "@": "1"}, row_1_on_top=True),
        sites=_numbered(9, 9, row_1_on_top=True),
        quick_games=50,
    ),
    Adapter(
        game="othello",
        openspiel="othello",
        pieces=_printed(r"^\d (.*) \d$", {"x": "0", "o": "1"}, row_1_on_top=True),
        sites=_named,
        orientations=(unchanged, upside_down(8)),
        quick_games=20,
    ),
    Adapter(
        game="breakthrough",
        openspiel="breakthrough",
        pieces=_printed(r"^\d([bw.]{8})$", {"b": "0", "w": "1"}),
        sites=_named,
        orientations=(upside_down(8), unchanged),
        quick_games=20,
    ),
    Adapter(
        game="amazons",
        openspiel="amazons",
        pieces=_printed(r"^([.XO#]{10})$", {"X": "0", "O": "1", "#": "#"}),
        sites=_numbered(10, 10),
        quick_games=5,
    ),
    Adapter(
        game="go",
        openspiel="go(board_size=9,komi=7.5,max_game_length=100000)",
        options={"size": 9},
        pieces=_printed(r"^ *\d+ ([+XO]{9})$", {"X": "0", "O": "1"}),
        sites=_go_point,
        forbidden=_brings_a_board_back,
        quick_games=5,
    ),
    Adapter(
        game="lines-of-action",
        openspiel="lines_of_action",
        pieces=_printed(r"^\d([.xo]{8})$", {"x": "0", "o": "1"}),
        sites=_cells,
        draws_are_cut_offs=True,
        quick_games=10,
    ),
    Adapter(
        game="havannah",
        openspiel=f"havannah(board_size={_HAVANNAH_SIDE})",
        options={"size": _HAVANNAH_SIDE},
        pieces=_havannah_pieces,
        sites=_havannah_sites,
        left_out="swap",
        quick_games=50,
    ),
    Adapter(
        game="nine-mens-morris",
        openspiel="nine_mens_morris",
        pieces=_morris_pieces,
        sites=_morris_sites,
        draws_are_cut_offs=True,
        quick_games=10,
    ),
    Adapter(
        game="draughts",
        openspiel="checkers",
        pieces=_printed(r"^\d([.o+8*]{8})$", {"o": "0", "8": "0K", "+": "1", "*": "1K"}),
        sites=_named,
        orientations=(unchanged, half_turn(8, 8)),
        by_result=True,
        draws_are_cut_offs=True,
        quick_games=20,
    ),
    Adapter(
        game="nim",
        openspiel="nim(pile_sizes=1;3;5;7,is_misere=false)",
        pieces=_nothing,
        sites=_nim_sites,
        read_move=lambda text: tuple(re.split("[ -]", text)),
        by_moves=True,
    ),
    Adapter(
        game="einstein",
        openspiel="einstein_wurfelt_nicht",
        pieces=_cube_sides,
        sites=_cube_sites,
        read_move=_cube_words,
        action_is_turn=True,
        quick_games=20,
    ),
    Adapter(
        game="ultimate-tic-tac-toe",
        openspiel="ultimate_tic_tac_toe",
        pieces=_printed(r"^([.xo]{3} [.xo]{3} [.xo]{3})$", {"x": "0", "o": "1"}),
        sites=_small_board_sites,
        quick_games=20,
    ),
    Adapter(
        game="oware",
        openspiel=f"oware(num_houses_per_player={_HOUSES})",
        pieces=_nothing,
        sites=_house,
        by_moves=True,
    ),
    Adapter(
        game="dots-and-boxes",
        openspiel=f"dots_and_boxes(num_rows={_BOXES},num_cols={_BOXES})",
        options={"width": _BOXES, "height": _BOXES},
        pieces=_lines_and_boxes,
        sites=_line_sites,
        read_move=lambda text: (text,),
        action_is_turn=True,
        quick_games=10,
    ),
    _chinese_checkers(2),
    _chinese_checkers(3, "three"),
    _chinese_checkers(6, "six"),
)
"""All games, by our name; a game is the same in both when its adapter is applied."""
