"""Tests of the test: does it see each broken promise?"""
