"""Tests of the fuzzer itself: does it see what it is there to see?"""
