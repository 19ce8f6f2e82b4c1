"""Random games played side by side in this project's interpreter and in OpenSpiel.

``adapter`` reads OpenSpiel's states and actions, ``adapters`` is the table of games, and
``lockstep`` plays one game in both and raises at the first difference.
"""
