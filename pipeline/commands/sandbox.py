"""`utp sandbox serve`: the stand-in for all providers, for trying things by hand."""

import argparse
import os
import sys


def run_serve(arguments: argparse.Namespace) -> int:
    """Become the stand-in; returns only when that cannot be started."""
    command = [sys.executable, "-m", "sources.sandbox", "--region", arguments.region, "--seed", str(arguments.seed)]
    command += ["--port", str(arguments.port), "--time-scale", str(arguments.time_scale), "--faults", arguments.faults]
    os.execv(sys.executable, command)
