"""The playground: any figure with its values typed, its commands, and the exercises that match it."""
