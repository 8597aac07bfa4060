"""What revision can ask: items made from the course, the questions that ask them, and their words."""
