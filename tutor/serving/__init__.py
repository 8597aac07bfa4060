"""The tutor for browsers: one app in a process of its own for each reader, behind one small web server."""
