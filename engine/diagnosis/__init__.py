"""From a workload to the wall and the lever.

=============  ====================================================================================================
``model``      the data: a scenario as it was read, the report, and all that lies between
``fields``     the public inputs, one table for options, files, JSON and the form
``reading``    what people write, as a scenario (its doors: ``scenario``); ``settings`` knows servers and their
               flags, ``symptoms`` reads sentences
``cases``      a scenario with everything that can be computed of it: memory, steps, what fits, what was assumed
``causes``     what may be the matter: a row each, with what speaks for it, what helps and what would refute it
``acting``     levers: what each changes, when it may be pulled, what it gains, in which order
``finding``    which causes are there, how sure; ``questions`` what to ask
``judge``      the verdict
=============  ====================================================================================================
"""
