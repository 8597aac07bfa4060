"""The live decode probe's own program: it measures one card (or processor) and tells what it saw, line by line.

It runs in a process of its own, ``PYTHON engine/probe/program``, on any Python from 3.9 that has torch, and imports
nothing of the project. One line of JSON comes in on standard input, which then stays open: its end means that whoever
asked is gone, and ends the program.

    {"protocol": 1, "device": "auto|cuda|cpu|mps", "seconds": 25.0, "shape": {...} | null, "case": {...} | null,
     "layers": 32 | null, "zeros": false}

``seconds`` counts from after the import of torch and the device's start. JSON lines go out on standard output, each
with an ``event``: sizes in bytes, times in seconds, clocks in MHz, shares of one, what is not known ``null``.

    hello    python, torch, backend, import_seconds
    device   what is measured: name, memory, cache, clocks, others on it
    plan     the stack that stands for a model, and the memory it may take
    stage    which stage begins
    note     a condition that the reader must know of
    reading  one measurement: ``seconds`` is the 20th percentile of the blocks, ``noise`` their IQR over the median
    end      how it ended: done, budget or stop; seconds by stage; memory
    failed   why it could not begin or go on: an id and one line

Exit status: 0 after ``end``, 3 after ``failed``. Why it measures as it does is told where it does it: ``sizes`` how
large, ``timing`` how long, ``stages`` what.
"""
