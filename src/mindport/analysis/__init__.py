"""Answers to the guide's questions, from facts and knowledge; one question a file."""
