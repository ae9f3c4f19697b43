"""How a project trains: its settings, the values that reach an API, and the names under which tricks go."""
