"""Syntax: from the texts inside a game's file to trees, by the grammar and the parser.

tree has the classes of the nodes, advice what to say of slips of the pen. rewriting says what a
text that can't be read may mean, by the patterns in slips. further finds what else can't be read in
a program, behind its first mistake. tables keeps what the parser is made of.
"""
