"""`utp sandbox serve`: the stand-in for all providers, for trying things by hand."""

import argparse
import os
import sys

from pipeline.fetching import TIME_SCALE


def run_serve(arguments: argparse.Namespace) -> int:
    """Become the stand-in; returns only when that cannot be started."""
    command = [sys.executable, "-m", "sources.sandbox", "--region", arguments.region, "--seed", str(arguments.seed)]
    time_scale = TIME_SCALE if arguments.time_scale is None else arguments.time_scale
    command += ["--port", str(arguments.port), "--time-scale", str(time_scale), "--faults", arguments.faults]
    command += ["--as-of", arguments.as_of.isoformat()] if arguments.as_of else []
    for file in arguments.provider:
        command += ["--provider", str(file)]
    os.execv(sys.executable, command)
