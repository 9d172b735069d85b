"""How punctual the flights of a route, or of a number, were: a rating for each, and once more for every codeshare."""

from collections.abc import Iterable, Iterator
from random import Random

from sources.sandbox.flights import TrueCodeshare, TrueFlight
from sources.sandbox.flightstats.documents import ADDRESS, BadQuestion, Document, answered, shuffled
from sources.sandbox.flightstats.geography import Geography, airlines, fs_of_airline
from sources.sandbox.punctuality import TruePunctuality, single
from sources.sandbox.world import World

# The IATA code of an airline, and a rating of one of its numbers.
Rated = tuple[str, Document]

DATA = "ratings"
_STARS = 5


class Ratings:
    """Answers about the two months before."""

    def __init__(self, world: World, geography: Geography) -> None:
        self._seed, self._geography = world.seed, geography
        self._by_pair: dict[tuple[str, str], list[TrueFlight]] = {}
        self._by_number: dict[tuple[str, str], list[TrueFlight]] = {}
        for flight in world.flights:
            self._by_pair.setdefault((flight.origin, flight.destination), []).append(flight)
            for carrier, _, number in (TrueCodeshare(flight.carrier, "", flight.number), *flight.codeshares):
                self._by_number.setdefault((fs_of_airline(carrier), number), []).append(flight)

    def of_route(self, dep: str, arr: str) -> Document:
        """Return the ratings of all flights from one airport to another. Raises BadQuestion."""
        geography = self._geography
        echo = {
            "departureAirport": geography.asked(dep),
            "arrivalAirport": geography.asked(arr),
            "codeType": {},
            "url": f"{ADDRESS}/ratings/rest/v1/json/route/{dep}/{arr}",
        }
        pair = geography.find(dep, echo), geography.find(arr, echo)
        return self._answer(echo, self._rows(self._by_pair.get(pair, ())), pair)

    def of_flight(self, carrier: str, number: str, dep: str | None) -> Document:
        """Return the ratings of a number, one for each pair of airports that it flies between. Raises BadQuestion."""
        geography, fs = self._geography, fs_of_airline(carrier)
        echo = {
            "airlineCode": {"requestedCode": carrier, "fsCode": fs},
            "flightNumber": {"requested": number, "interpreted": number},
            "departureAirport": geography.asked(dep) if dep else {},
            "codeType": {},
            "url": f"{ADDRESS}/ratings/rest/v1/json/flight/{carrier}/{number}",
        }
        if not any(fs == known for known, _ in self._by_number):
            raise BadQuestion("BAD_AIRLINE_CODE", f"The airline code {carrier} is not known", echo)
        origin = geography.find(dep, echo) if dep else None
        flights = [one for one in self._by_number.get((fs, number), ()) if origin in (None, one.origin)]
        asked = fs, number
        rows = [
            rated for rated in self._rows(flights) if (rated[1]["airlineFsCode"], rated[1]["flightNumber"]) == asked
        ]
        pairs = dict.fromkeys(iata for flight in flights for iata in (flight.origin, flight.destination))
        return self._answer(echo, rows, pairs)

    def _answer(self, echo: Document, rows: Iterable[Rated], airports: Iterable[str]) -> Document:
        random = Random(f"{self._seed}:flightstats:{echo['url']}")
        found = shuffled(rows, random)
        appendix = {
            "airlines": airlines(carrier for carrier, _ in found),
            "airports": shuffled(map(self._geography.airport, airports), random),
        }
        # Where nothing was measured the list is empty, or it is not there.
        data: Document = {DATA: [row for _, row in found]} if found or random.random() < 0.5 else {}
        return answered(echo, data, appendix, random)

    def _rows(self, flights: Iterable[TrueFlight]) -> Iterator[Rated]:
        for flight in flights:
            truth = flight.punctuality
            if truth is None:
                continue
            stars = self._stars(flight, truth)
            own = TrueCodeshare(flight.carrier, "", flight.number)
            yield own.carrier, self._row(flight, own, truth, truth.codeshares, stars)
            for share in flight.codeshares:
                # A number under which seats are sold has the runs of the flight, and flies none itself.
                yield (
                    share.carrier,
                    self._row(flight, share, truth, truth.observations, stars),
                )

    def _row(
        self, flight: TrueFlight, number: TrueCodeshare, truth: TruePunctuality, codeshares: int, stars: Document
    ) -> Document:
        # Two exports of the same numbers: one writes 28, the other 28.0.
        of_kind = int if flight.duration_min % 10 else float
        return {
            "departureAirportFsCode": self._geography.fs(flight.origin),
            "arrivalAirportFsCode": self._geography.fs(flight.destination),
            "airlineFsCode": fs_of_airline(number.carrier),
            "flightNumber": number.number,
            "codeshares": codeshares,
            "directs": 0,
            "observations": truth.observations,
            "ontime": truth.on_time,
            "late15": truth.late,
            "late30": truth.very_late,
            "late45": truth.excessive,
            "cancelled": truth.cancelled,
            "diverted": truth.diverted,
            "ontimePercent": single(truth.on_time / truth.observations),
            "delayObservations": truth.delay_observations,
            "delayMean": of_kind(truth.delay_mean_min or 0),
            "delayStandardDeviation": truth.delay_std_min or 0.0,
            "delayMin": truth.delay_min_min or 0,
            "delayMax": truth.delay_max_min or 0,
            **stars,
        }

    def _stars(self, flight: TrueFlight, truth: TruePunctuality) -> Document:
        """Return the place of a flight among those of its route, as shares and as stars."""
        others = [one.punctuality for one in self._by_pair[flight.origin, flight.destination] if one.punctuality]
        share = truth.on_time / truth.observations
        behind = {
            "allOntime": [one.on_time / one.observations < share for one in others],
            "allDelay": [(one.delay_mean_min or 0) > (truth.delay_mean_min or 0) for one in others],
        }
        stars: Document = {}
        for name, flags in behind.items():
            stars[f"{name}Cumulative"] = single(round(sum(flags) / len(flags), 4))
            stars[f"{name}Stars"] = single(round(_STARS * sum(flags) / len(flags), 1))
        return {**stars, "allStars": round((stars["allOntimeStars"] + stars["allDelayStars"]) / 2, 2)}
