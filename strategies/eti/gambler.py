"""Turns the cards up early and trusts its luck: few cards, standard submissions, creativity to make the most
of them.

As the alien it reveals as soon as it may.
"""

from __future__ import annotations

params = {
    "push": 0.75,
    "risk": 0.9,
    "hurry": 0.15,
    "creativity": 1.3,
    "staffing": 0.9,
    "security": 0.5,
    "analysis": 0.2,
    "margin": 0.8,
    "loyalty": 0.4,
}
