"""Words grouped to concepts, in English and Hinglish: the lexicon behind ``engine.diagnosis.symptoms.sayings``.

One concept a row, a row goes on where the next line is indented. ``word*`` is a stem, ``two_words`` a phrase, ``#`` any
number, ``%`` the sign. Spelling is folded ("aa" is "a", hyphens and underscores part words) here as in the texts read,
and articles and auxiliaries are dropped; "of", "to", "on" and the like may stand between the words of a phrase.
A phrase that holds a negation ("no faster") hides the words inside it; ``mask`` hides what is shorter ("load test").
"""

from engine.diagnosis.symptoms import concepts_load, concepts_memory, concepts_setup, concepts_speed

CONCEPTS = "\n".join(part.ROWS.strip() for part in (concepts_speed, concepts_memory, concepts_load, concepts_setup))
