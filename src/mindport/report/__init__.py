"""One report model, and one file for each form it is shown in."""
