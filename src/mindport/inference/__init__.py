"""What every name and expression of a project is. See README.md for the assumptions."""

from mindport.inference import evaluate as evaluate  # fills the tables of evaluators
from mindport.inference import statements as statements
from mindport.inference.project import Project as Project
