"""Compiles fuzz kernels and judges the results. See ../README.md."""
