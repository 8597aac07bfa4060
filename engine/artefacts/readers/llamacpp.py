"""llama.cpp's log: buffers, the cache, layers on cards, timings."""
