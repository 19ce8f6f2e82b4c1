"""Solving: who wins if both sides play as well as can be, exactly, and by which moves.

In: rules, and a position. Out: a `Solution`, and a table of values on disk. What then holds:
nothing is estimated; as in `interpreter.search`, nothing here knows of a game, and what takes long
is compiled.

| module | what it does |
|---|---|
| `bench` | what a thread works with, and how it goes from a position to those after it |
| `images` | one position for all that a symmetry makes of it, and its keys |
| `graph` | the positions that can be reached, each with a number |
| `enumeration` | finds them all |
| `backwards` | what they are worth, from the ends back |
| `proof` | what a seat can force, without looking at all positions |
| `proof_table` | what a search for that knows, and remembers of positions |
| `same_program` | whether a program with all its sites moved is the same program |
| `symmetries` | the symmetries of the board that the rules respect |
| `tables` | values on disk |
| `clock` | how long to work, and who is told how far it has come |
| `subject` | a game as what is to be solved; games that can't be |
| `retrograde` | a game solved by all its positions |
| `proving` | a game solved by proof |
| `openings` | a game solved by its openings, each proven apart |
| `forced` | whether a seat can force a win within so many plies |
| `forced_wins` | positions of any game, solved by that |
| `quick_wins` | what that finds for a search by random games, which may overlook it |
| `unfinished` | work that was interrupted, in a file |
| `solution` | what was found out, as frozen data |
| `solver` | `Solver`: chooses the method, and does it |
| `knowledge` | what is known of positions, told as an analysis |
| `small_games` | games, and ends of games, solved while somebody waits |
| `store` | tables that are kept: what an engine knows by them |
| `checking` | a solution held against the reference interpreter |
"""
