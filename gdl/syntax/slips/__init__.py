"""Slips: what authors write in the manner of other languages, or of plain English.

patterns says what a slip is, and how one is told of; wording has what is said of several. The
slips that are known are in statements, decisions and verbs (a line of a turn), expressions and
choices (parts of any line), boards, ends, sets and sections (the rest); sentences has what can be
said, but not be put in place. meanings looks again at errors of texts that can be read: of keys
(keys), of shapes (shapes), and of words where they mean nothing. All are loaded only where there is
a mistake.
"""
