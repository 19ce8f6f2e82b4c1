"""Random games: well-typed rule files with little sense, for evaluators to agree on.

In: a source of chance (`random.Random`, or one that hypothesis steers). Out: the text of a game
file. What then holds: it loads, but for few that are too strange; its board is small, its turns
have not too many moves; it may end, loop, or fail in play.
"""

from __future__ import annotations

from random import Random

from generated_boards import draw_board
from generated_expressions import Expressions, Scope, World
from generated_programs import Turn
from hypothesis import strategies as st

SIDES = ("White", "Black", "Red", "Blue")
STATE = {
    "told": "told(1..3): number",
    "shown": "shown(1..2): sites",
    "sure": "sure(1..2): flag",
    "tally": "tally: number in 0..9",
    "wide": "wide: number = 2",
    "balance": "balance: number in -3..5 = -1",
    "hand": "hand(players): number in 0..5 = 2",
    "open": "open: flag = yes",
    "zone": "zone: sites = {sites}",
    "holder": "holder: side",
    "last": "last: kind = Stone",
    "score": "score: fraction = 1 / 2",
    "mode": "mode: name in (calm, wild) = wild",
    "seeds": "seeds: number per site in 0..9 = 1",
    "grid": "grid(players): number per site in 0..5",
    "wall": "wall({family}): sites",
    "level": "level(1..3): sites",
    "moved": "moved: mark",
    "power": "power: mark in 0..5",
}

ALWAYS = ("told", "shown", "sure")
"""Variables that keep what expressions are worth, so that a wrong value is seen in the state."""


def game_text(random: Random) -> str:
    """Return the text of a random game."""
    return _Game(random).text()


games = st.randoms(use_true_random=False).map(game_text)
"""A strategy for texts of games."""


class _Game:
    """Writes one game, section by section."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.board, facts = draw_board(random)
        number = random.choice((2, 2, 2, 3, 4, 1))
        kinds = random.choice((("Stone",), ("Stone", "King")))
        neutral = random.choice(((), (), ("Rock",)))
        self.world = World(facts, SIDES[:number], kinds, neutral)
        if random.randint(1, 5) == 1:
            self.world.stacks = random.choice(("4", "9", "40", "6 of Stone"))
        self.words = Expressions(random, self.world)
        self.pieces = kinds
        self.actions: dict[str, str] = {}

    def text(self) -> str:
        """Return the whole file."""
        lines = ["game: Generated", f"players: {', '.join(self.world.sides)}"]
        neutral = tuple(f"neutral {kind}" for kind in self.world.neutral)
        lines += [f"pieces: {', '.join((*self.pieces, *neutral))}", f"board: {self.board}"]
        lines += [f"stacks: {self.world.stacks}"] * bool(self.world.stacks)
        lines += self._state()
        lines += self._words()
        lines += self._setup()
        lines += self._actions()
        lines += self._turn_or_phases()
        stuck = self._stuck()
        lines += [*stuck, *self._ends(may_yield=bool(stuck))]
        lines += ["display:", f"  scores: {self.words.number(Scope(), 1)}"]
        return "\n".join([*lines, ""])

    def _state(self) -> list[str]:
        families = tuple(self.world.facts.families)
        names = [name for name in STATE if name in ALWAYS or self.words.chance(30)]
        names = [name for name in names if families or name != "wall"]
        sites = self.words.sites(Scope(is_static=True), 1)
        family = families[0] if families else ""
        self.world.state.update(names)
        lines = [f"  {STATE[name].format(sites=sites, family=family)}" for name in names]
        return ["state:", *lines] if lines else []

    def _words(self) -> list[str]:
        """Return definitions, regions and relations; each may use those before it."""
        words, world, static = self.words, self.world, Scope(is_static=True)
        regions = [f"  camp: {words.sites(static)}"] if words.chance(30) else []
        world.sets += ["camp"] * bool(regions)
        relations = [f"  link: {words.static_relation(static, 2)}"] if words.chance(30) else []
        world.steps += ["link"] * bool(relations)
        if len(world.facts.directions) > 1 and words.chance(30):
            ways = zip(world.sides, world.facts.directions * 2, strict=False)
            relations += [f"  forward({side}): {way}" for side, way in ways]
        define = []
        if words.chance(40):
            parameter = words.fresh("spot")
            body = words.sites(Scope().having(parameter, "site"))
            define += [f"  around(sites {parameter}): {body}"]
            world.functions["around"] = "set"
        if words.chance(40):
            parameter = words.fresh("num")
            body = words.number(Scope().having(parameter, "number"))
            define += [f"  heavy(number {parameter}): {body}"]
            world.functions["heavy"] = "number"
        lines = ["regions:", *regions] if regions else []
        lines += ["relations:", *relations] if relations else []
        return lines + (["define:", *define] if define else [])

    def _setup(self) -> list[str]:
        lines: list[str] = []
        taken = ""
        for side in self.world.sides:
            for kind in self.pieces:
                if self.words.chance(65):
                    site = self.words.any(self.world.facts.sites)
                    if site not in taken.split():
                        taken += f" {site}"
                        lines.append(f"  {side} {kind}: {site}")
        return ["setup:", *lines] if lines else []

    def _actions(self) -> list[str]:
        if not self.words.chance(20):
            return []
        parameter = self.words.fresh("spot")
        turn = Turn(self.words, pieces=self.pieces)
        scope = Scope().having(parameter, "site")
        lines = turn.effect(scope) + turn.effect(scope)
        self.actions["act"] = parameter
        return ["actions:", f"  act({parameter}): |", *(f"    {line}" for line in lines)]

    def _turn(self, phases: tuple[str, ...] = (), chance: bool = False) -> list[str]:
        return Turn(self.words, phases, self.actions, chance, self.pieces).lines()

    def _turn_or_phases(self) -> list[str]:
        if self.words.chance(70):
            swap = [f"swap: {self.words.flag(Scope(), 1)}"]
            lines = swap if self.world.two and self.words.chance(20) else []
            return [*lines, "turn: |", *(f"  {line}" for line in self._turn())]
        names = ("opening", "middle", "finish")[: self.random.randint(2, 3)]
        lines = ["phases:"]
        for index, name in enumerate(names):
            chance = index > 0 and self.words.chance(25)
            seat = ["    seat: nobody"] if chance else []
            if self.world.two and not chance and self.words.chance(15):
                seat = [f"    seat: {self.random.randint(1, 2)}"]
            turn = [f"      {line}" for line in self._turn(names, chance)]
            lines += [f"  {name}:", *seat, "    turn: |", *turn]
            if self.words.chance(30):
                passes = f"passes then go to {self.words.any(names)}"
                lines += [f"    stuck: {self.words.any(('draw', 'passes', passes, 'loses'))}"]
        return lines

    def _stuck(self) -> list[str]:
        scope = Scope(may_look=1)
        clauses = [f"passes when passed < {self.random.randint(1, 3)}"]
        clauses += [f"loses when {self.words.flag(scope, 1)}", "loses", "wins", "draw"]
        first = [self.words.any(clauses)] if self.words.chance(60) else []
        last = [self.words.any(("draw", "loses"))] if self.words.chance(90) else []
        chosen = first + last
        return ["stuck:", *(f"  - {clause}" for clause in chosen)] if chosen else []

    def _ends(self, *, may_yield: bool) -> list[str]:
        clauses = [self._clause() for _ in range(self.random.randint(0, 3))]
        clauses.append("draw when turns > 30 or passed > 8")
        if may_yield and self.words.chance(40):
            clauses.insert(self.random.randrange(len(clauses)), "stuck")
        return ["end:", *(f"  - {clause}" for clause in clauses)]

    def _clause(self) -> str:
        words, scope = self.words, Scope(may_look=int(self.words.chance(20)))
        condition = f"turns > {self.random.randint(0, 6)} and {words.flag(scope)}"
        if words.chance(30):
            condition = words.any(("full", f"turns > {self.random.randint(2, 9)}"))
        who = ["mover", "any", *self.world.sides]
        who += ["enemy"] if self.world.two else []
        who += ["White, Black"] if len(self.world.sides) > 2 else []
        won = words.any(("wins", "loses"))
        return words.one(
            (
                lambda: f"draw when {condition}",
                lambda: f"{words.any(who)} {won} when {condition}",
                lambda: (
                    f"{words.any(('highest', 'lowest'))} {words.number(scope, 1)} {won}"
                    f" when {condition}"
                ),
            )
        )

    def _measure(self, scope: Scope) -> str:
        """Return a number that is rarely the same for all sides."""
        number = self.words.number(scope, 1)
        return self.words.any(
            (
                number,
                f"count(own) + {number}",
                f"count({self.words.any(self.world.facts.regions)} & own)",
            )
        )
