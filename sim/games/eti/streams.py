"""The kinds of luck in E.T.I.: each has a stream of its own (`sim.random`)."""

from __future__ import annotations

#: the streams of a game
ROLES, RESEARCH, PROJECTS, EVENTS, ATTACK, STRATEGIES = range(6)
STREAMS = 6
#: what a game's luck is drawn from: an index for each stream, and one for the first president alone
PRESIDENT = STREAMS
LUCKS = STREAMS + 1
