"""`utp ui`: Dagster's web page and daemon on a home."""

import argparse
import os
import sys

from pipeline.definitions import settings_for
from pipeline.home import Home, default_home


def run(arguments: argparse.Namespace) -> int:
    """Become the web server; returns only when that cannot be started."""
    home = Home((arguments.home or default_home(arguments.region)).absolute())
    tables_dir = arguments.tables_dir.absolute() if arguments.tables_dir else None
    settings_for(arguments.region, home.folder, tables_dir)
    home.prepare()
    environment = os.environ | {
        "DAGSTER_HOME": str(home.dagster),
        "DAGSTER_DISABLE_TELEMETRY": "yes",
        "UTP_HOME": str(home.folder),
        "UTP_REGION": arguments.region,
    }
    if tables_dir:
        environment["UTP_TABLES_DIR"] = str(tables_dir)
    command = [sys.executable, "-m", "dagster", "dev", "-m", "pipeline.definitions", "-p", str(arguments.port)]
    print(f"Dagster's page: http://127.0.0.1:{arguments.port} (end with Ctrl-C)", flush=True)
    os.execve(sys.executable, command, environment)
