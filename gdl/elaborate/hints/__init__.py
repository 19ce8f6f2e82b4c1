"""What a text without a meaning may have meant.

| module                | has                                                  |
|-----------------------|------------------------------------------------------|
| `foreign_words`       | words of other languages                             |
| `missing_parentheses` | a word that takes in more, or less, than was meant   |
| `words_out_of_reach`  | a word that a turn makes, used where it is not known |
"""
