"""Advanced game: the Alliance first. Personal points count for nothing: all forces go where most is at stake.

Secret objectives are forgotten, agents help, tokens go where the world gains most. As the others play, so it loses.
"""

from __future__ import annotations

params = {"personal": 0.0, "sure": 0.8}
