"""One module for each family of what is read; :mod:`engine.artefacts.registry` lists them."""
