"""Start commands of servers, in a script or a shell's history."""
