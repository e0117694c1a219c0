"""Judges side by side: the debates they share, and what can be said of them there.

``population`` says which debates count; everything else reads a population. Every statistic is computed by
scikit-learn, scipy or statsmodels.
"""
