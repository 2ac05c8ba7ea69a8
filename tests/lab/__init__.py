"""Tests of the lab: comparisons, sweeps and the other experiments, on cases whose answer is known."""
