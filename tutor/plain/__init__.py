"""Study in plain lines: for screen readers, pipes and terminals that cannot draw. Same session, content and checks."""
