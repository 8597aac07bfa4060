"""The placement: a few questions from the course, and the level that their answers suggest to begin with.

It knows no screen and writes nothing: answers given in a hurry and guesses are no attempts at an exercise, and no
evidence for revision. What is kept of it is the one setting ``placement``.
"""
