"""What is measured, stage by stage. A stage ends by itself when its share of the time is used up."""
