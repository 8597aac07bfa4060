"""The diagnoser's screen, without the screen: what the form holds, what the engine answers, what is then shown."""
