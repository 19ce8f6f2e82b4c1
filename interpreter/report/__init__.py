"""A game's report: what a designer wants to see of it, on one page.

In: a game, and seconds. Out: a `Report`, as plain data and as a page of HTML that needs nothing
else. What then holds: every share and mean has an interval at 95 %, and the number of games behind
it; what was not measured, for want of time or of native code, is said to be so.

| module        | what it does                                                |
|---------------|-------------------------------------------------------------|
| `numbers.py`  | shares and means with their intervals                       |
| `sampled.py`  | random games: whole ones by the thousand, some move by move |
| `guided.py`   | games of the engine, with what it thought of each position  |
| `played.py`   | recorded games, counted as random ones are                  |
| `measured.py` | all of it, within the seconds: a `Report`                   |
| `charts.py`   | charts and maps of the board as SVG                         |
| `page.py`     | the page                                                    |
"""
