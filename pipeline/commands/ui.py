"""`utp ui`: Dagster's web page and daemon on a home."""

import argparse
import os
import signal
import sys
from pathlib import Path

from pipeline.home import PROJECT, default_home
from pipeline.settings import settings_for, source_folders


def run(arguments: argparse.Namespace) -> int:
    """Become the web server; returns only when that cannot be started."""
    tables_dir = arguments.tables_dir.absolute() if arguments.tables_dir else None
    folder = (arguments.home or default_home(arguments.region, arguments.profile)).absolute()
    home = settings_for(arguments.region, folder, tables_dir, profile=arguments.profile).home
    home.prepare()
    environment = os.environ | {
        "DAGSTER_HOME": str(home.dagster),
        "DAGSTER_DISABLE_TELEMETRY": "yes",
        "UTP_HOME": str(home.folder),
        "UTP_PROFILE": arguments.profile,
        "UTP_REGION": arguments.region,
        # Relative ones are meant from here, and the page starts elsewhere.
        "UTP_SOURCES": os.pathsep.join(map(str, source_folders())),
        "VIRTUAL_ENV": sys.prefix,
    }
    if tables_dir:
        environment["UTP_TABLES_DIR"] = str(tables_dir)
    # `dg` reads its settings from the pyproject.toml of the folder in which it is started.
    os.chdir(PROJECT)
    print(f"Dagster's page: http://127.0.0.1:{arguments.port} (end with Ctrl-C)", flush=True)
    # A shell starts what runs in the background with these signals ignored, and `dg` would inherit that.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    dg = str(Path(sys.executable).with_name("dg"))
    os.execve(dg, [dg, "dev", "--port", str(arguments.port)], environment)
