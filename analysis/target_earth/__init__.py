"""Statistics of Target Earth. The game is cooperative: its unit is the game, which the Alliance wins or loses.

Seats are counted only where each has something of its own to win (`personal`).
"""
