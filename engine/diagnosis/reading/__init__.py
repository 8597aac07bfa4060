"""What people write, as a scenario: values, names of models and cards, files, and the way back."""
