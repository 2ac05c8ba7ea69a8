"""Differences in words, the same in all experiments."""

from __future__ import annotations

from analysis.blocks import FEW, Contrast
from analysis.comparisons import more_often, size_word
from analysis.lab.sums import Metric


def value_text(value: float, metric: Metric) -> str:
    """A metric's value: '61.3 %', '16.4'."""
    return (f"{value * 100:.1f} %" if metric.is_rate else f"{value:.2f}").replace("-", "−")


def change_text(value: float, metric: Metric) -> str:
    """A difference: '+2.1 points', '−0.40'."""
    text = f"{value * 100:+.1f} points" if metric.is_rate else f"{value:+.2f}"
    return text.replace("-", "−")


def interval_text(contrast: Contrast, metric: Metric) -> str:
    """'+2.1 points (95 %: +1.2 to +3.0)'."""
    ends = [change_text(end, metric).removesuffix(" points") for end in (contrast.low, contrast.high)]
    return f"{change_text(contrast.value, metric)} (95 %: {ends[0]} to {ends[1]})"


def difference_words(
    variant: str, base: str, metric: Metric, values: tuple[float, float], contrast: Contrast, games: int
) -> str:
    """What a variant does, as a sentence.

    Parameters
    ----------
    values
        The metric of the base, and of the variant.
    games
        Of each of them.
    """
    if contrast.blocks < FEW:
        return f"{variant}: too few blocks ({contrast.blocks}) to compare '{metric.text}' with {base}."
    n = f"n = {games:,} games each, same luck"
    was = f"{value_text(values[1], metric)} instead of {value_text(values[0], metric)}"
    if contrast.error == 0 and contrast.value == 0:
        return f"{variant}: no difference at all in '{metric.text}': not one block came out differently; {n}."
    if not contrast.clear:
        told = interval_text(contrast, metric)
        return f"{variant}: no clear difference in '{metric.text}' from {base}: {was}, {told}; {n}."
    if metric.is_rate:
        often = more_often(contrast.value, contrast.low, contrast.high)
        return f"{variant}: {metric.text} {often} than in {base}: {was}, a {size_word(contrast)} difference; {n}."
    word = "more" if contrast.value > 0 else "less"
    return f"{variant}: {metric.text}, {word} than in {base}: {was}, {interval_text(contrast, metric)}; {n}."
