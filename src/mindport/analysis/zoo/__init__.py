"""Which models MindSpore's public zoos hold: facts (names, places, class names, counts of layers), never their code."""
