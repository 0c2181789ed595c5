"""Translates fuzz kernels' PTX to C++, to run it on the CPU."""
