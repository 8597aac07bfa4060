"""The commands of `llm-tutor`, one file each: `arguments(parser, text)` declares, `run(context, args)` does."""
