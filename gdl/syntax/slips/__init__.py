"""Slips: what authors write in the manner of other languages, or of plain English.

patterns says what a slip is, and how one is told of. The slips that are known are in statements (a
line of a turn), expressions (parts of any line), boards and sections (all other texts). They are
loaded only where a text can't be read.
"""
