"""What a position is worth without a search.

| module      | has                                                                 |
|-------------|---------------------------------------------------------------------|
| `features`  | what in a position may be worth something: its sets and its numbers |
| `estimate`  | what a position is worth at first sight: a sum over its bytes       |
| `open_rows` | Rows that only one side can still fill, as features of a game       |
| `row_worth` | What rows are worth that only one side can still fill               |
| `territory` | Which of two sides reaches a site first                             |
| `outlook`   | How near each side is to what it wants, guessed from the rules      |
"""
