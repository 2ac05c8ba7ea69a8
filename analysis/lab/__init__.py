"""The lab: experiments that play the same luck under different rules, cards and strategies, and say what that did."""
