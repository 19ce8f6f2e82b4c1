"""Slips: what authors write in the manner of other languages, or of plain English.

patterns says what a slip is, and how one is told of; wording has what is said of several. The
slips that are known are in statements, decisions and verbs (a line of a turn), expressions,
conditions, choices and amounts (parts of any line), boards, ends, sets and sections (the rest);
sentences has what can be said, but not be put in place. meanings looks again at errors of texts
that can be read: each has a place, and entries (of keys and shapes) and words know what is meant
there. All are loaded only where there is a mistake.
"""
