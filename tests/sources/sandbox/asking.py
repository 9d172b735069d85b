"""How the tests ask the sandbox, as a client that says who it is."""

import json
from typing import Any

import requests

AGENT = {"user-agent": "utp-tests/1 (+https://example.org/utp)"}
EVERY_STOP = """\
[out:json][timeout:180][bbox:{box}];
( nwr["railway"~"^(station|halt|tram_stop|subway_entrance)$"];
  nwr["public_transport"~"^(station|platform|stop_position)$"];
  nwr["highway"="bus_stop"];
  nwr["amenity"~"^(bus_station|ferry_terminal)$"];
  nwr["aeroway"~"^(aerodrome|terminal)$"]; );
out tags center;
"""
UDAIPUR = "24.4,73.5,24.8,74.0"
NOWHERE = "8,68,8.1,68.1"
TOO_MUCH = "18,72,20,74"


def ask(address: str, query: str, headers: dict[str, str] = AGENT) -> requests.Response:
    return requests.post(f"{address}/osm/api/interpreter", data={"data": query}, headers=headers, timeout=10)


def stops(address: str, box: str) -> requests.Response:
    return ask(address, EVERY_STOP.format(box=box))


def log(address: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in requests.get(f"{address}/_log", timeout=10).text.splitlines()]
