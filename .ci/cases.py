#!/usr/bin/env python3
"""Runs the shared cases: cases.py TOOLS ARGUMENTS OF run_cases.py.

`run_cases.py` refuses classes of diagnostics that it does not know, and it is older than one of ours.
"""

import sys

sys.path.insert(0, sys.argv.pop(1))
import run_cases  # noqa: E402

run_cases.CLASSES |= {"move_number_mismatch"}
sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
sys.exit(run_cases.main())
