"""``python -m mindport``."""

from mindport.cli import main

if __name__ == "__main__":
    main()
