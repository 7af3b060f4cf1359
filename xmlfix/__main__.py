"""`python -m xmlfix`."""

from xmlfix.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
