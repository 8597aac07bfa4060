"""What nvidia-smi prints: its table, its queries, its topology."""
