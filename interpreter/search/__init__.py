"""An opponent for every game: searches over native code, and what they find out.

In: rules, and a position. Out: an `Analysis`: moves with their values. What then holds: nothing
here knows of a game; all that is asked for are legal moves, and how random games end.

| module | what it does |
|---|---|
| `instructions` | records, arrays, and functions that stand for instructions of the machine |
| `writer` | the text of one function of LLVM |
| `built_in` | what a compiled function may call that is no function: each a few instructions |
| `compiled` | makes machine code of Python functions, which call a game's code by its addresses |
| `tree` | the memory of a search: nodes, their children, and the position of each |
| `proofs` | what is proven of a node: bounds of its value, and in how many plies |
| `locks` | how threads in one tree keep out of each other's way |
| `growth` | new nodes, and places for their children |
| `policy` | the constants by which a search chooses |
| `tally` | what random games tell of moves before they are tried |
| `surroundings` | which sites lie around a site |
| `patterns` | names and places of the numbers that are learned of surroundings |
| `priors` | what these numbers add to the first values of moves |
| `first_values` | the same as a text that anybody can read |
| `features` | what in a position may be worth something: its sets and its numbers |
| `open_rows`, `territory` | and rows that one side can still fill, and who reaches sites first |
| `estimate` | what a position is worth at first sight: a sum over its bytes |
| `row_worth`, `territory_worth` | what rows and sites reached first add to that |
| `worth` | all that as a text that anybody can read |
| `leaves` | how many random games are played from a new node |
| `splitting` | turns of many moves, gone through in parts |
| `sampling` | random games, and a position of each |
| `positions` | the position that a thread has in front of it, and those that nodes keep |
| `choosing` | which child of a node a search goes to |
| `stays` | how long a thread stays below a node before it goes down from the root again |
| `iterations` | the search itself: descend, add a node, play a random game, pass its result up |
| `iteration_pool` | how many iterations are made before the clock is looked at |
| `pruning` | what is kept of a tree when moves have been made |
| `kept_tree` | the tree of an engine, from one position to the next |
| `one_at_a_time` | how threads of a program that share an engine wait for each other |
| `binding` | a game's code and the layout of its positions, as the search needs them |
| `guesses` | positions that a side may be in, as far as it knows |
| `similar_positions` | positions that look to a side like the one that it is in |
| `alpha_beta` | the other search: alpha-beta, one move deeper at a time |
| `information_sets` | a search that knows no more than a side does |
| `looking_for_wins` | when quick wins are looked for by every way, and for how long |
| `findings` | what a tree tells of the position at its root |
| `analysis` | what was found out, as frozen data |
| `review` | what each move of a game did to the chances, when it has been played |
| `review_by_side` | the same, where each side sees a part: each move by what its side knew |
| `analysis_text` | what an analysis or a review says, in words |
| `levels` | how strong a player is: what it searches, and how it chooses |
| `pondering` | thinking while others are on turn |
| `engine` | `Engine`: searches within a time or a number of iterations, on threads |
"""
