"""What is known of a program before it runs: functions from the core to frozen data.

In: a program, most of all after the passes of `gdl.optimise`. Out: facts that any backend may rely
on. What then holds: nothing here writes code. `plan` lets the passes change the program; `mirrored`
and `both_sides` make turns of others that are the same but for names, and no other module changes
any.

| module           | says                                                                     |
|------------------|--------------------------------------------------------------------------|
| `plan`           | all that follows, gathered for evaluators and for native code            |
| `plan_in_words`  | what a plan says, in words                                               |
| `number_ranges`  | between which bounds numbers lie, and which have none                    |
| `ranges`         | what becomes of such bounds in operations on numbers                     |
| `set_sizes`      | how many sites sets have at most, and which parts without a common site  |
| `open_lines`     | how many sites in line there are at most, told by the position           |
| `commuting`      | which unordered choices need not be tried both ways                      |
| `bounds_of_ways` | how many ways there are at most on from a decision                       |
| `side_symmetry`  | which turns of two sides can be one block                                |
| `random_moves`   | how a turn's random move is drawn, in each case, without a search        |
| `plain_turns`    | of which turns a random move can be drawn by bounds                      |
| `changes`        | what a way through such a turn does to layers                            |
| `views`          | what is worth being kept beside a position while random games are played |
| `rows`           | which rows of sites a condition asks for, and on which lines they lie    |
| `groups`         | which conditions on groups the newest site decides                       |
| `momentary`      | which variables of a turn are never needed beyond a decision             |
| `harmless`       | after which sites what is required is sure to hold                       |
| `ways_by_kind`   | how many ways there are on from all pieces of a kind                     |
| `reach`          | where the pieces of a side can go, move by move: asked by the engine     |
"""
