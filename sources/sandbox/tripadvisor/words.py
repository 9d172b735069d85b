"""How listings word what the truth holds as tokens: codes with English labels. Each word has one meaning here."""

from random import Random
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class Word(NamedTuple):
    """A code of the wire and its label."""

    name: str
    localized_name: str


CATEGORIES = {
    "attractions": Word("attraction", "Attraction"),
    "restaurants": Word("restaurant", "Restaurant"),
    "accommodations": Word("hotel", "Hotel"),
}

# Category of the vocabulary -> code of the subcategory, and kinds of sights that are grouped under it.
GROUPS: dict[str, tuple[str, tuple[str, ...]]] = {
    "Boat Tours & Water Sports": ("boat_tours_water_sports", ("Boat Tours",)),
    "Casinos & Gambling": ("casinos_gambling", ("Casinos",)),
    "Classes & Workshops": ("classes_workshops", ("Pottery Classes",)),
    "Concerts & Shows": ("concerts_shows", ("Theaters",)),
    "Food & Drink": ("food_drink", ("Farmers Markets",)),
    "Fun & Games": ("fun_games", ("Game & Entertainment Centers",)),
    "Museums": ("museums", ("History Museums", "Specialty Museums")),
    "Nature & Parks": ("nature_parks", ("Parks", "Bodies of Water")),
    "Nightlife": ("nightlife", ("Bars & Clubs",)),
    "Outdoor Activities": ("outdoor_activities", ("Hiking Trails",)),
    "Shopping": ("shopping", ("Flea & Street Markets",)),
    "Sights & Landmarks": ("landmarks", ("Historic Sites", "Religious Sites")),
    "Spas & Wellness": ("spas_wellness", ("Spas",)),
    "Water & Amusement Parks": ("amusement", ("Water Parks",)),
    "Zoos & Aquariums": ("zoos_aquariums", ("Zoos",)),
}
# Groups beyond the vocabulary; a kind may be nothing at all.
OTHER_GROUPS: dict[str, tuple[str, tuple[str, ...]]] = {
    "Tours": ("sightseeing_tours", ("City Tours",)),
    "Transportation": ("transportation", ("Taxis & Shuttles",)),
    "Other": ("other", ("",)),
}
ALL_SIGHTS = Word("attractions", "Attractions")

CUISINES: dict[str, tuple[Word, ...]] = {
    "African": (Word("african", "African"),),
    "American": (Word("american", "American"),),
    "Asian": (Word("asian", "Asian"), Word("chinese", "Chinese"), Word("thai", "Thai")),
    "Bar/Pub/Cafe": (Word("cafe", "Cafe"), Word("bar", "Bar")),
    "Eastern European/Russian": (Word("russian", "Russian"),),
    "European": (Word("european", "European"), Word("french", "French")),
    "Indian Subcontinent": (Word("indian", "Indian"),),
    "International Fusion": (Word("fusion", "Fusion"),),
    "Latin/South American": (Word("mexican", "Mexican"),),
    "Mediterranean/Middle Eastern": (
        Word("middle_eastern", "Middle Eastern"), Word("mediterranean", "Mediterranean"), Word("lebanese", "Lebanese"),
    ),
    "Pizza/Italian Specialties": (Word("pizza", "Pizza"), Word("italian", "Italian")),
    "Seafood/Steak/Grill": (Word("grill", "Grill"), Word("seafood", "Seafood")),
}  # fmt: skip
# What says nothing about a cuisine of the vocabulary.
NO_CUISINE = (Word("fast_food", "Fast food"), Word("healthy", "Healthy"), Word("street_food", "Street Food"))
FEATURES = (
    "Reservations", "Outdoor Seating", "Seating", "Highchairs Available", "Wheelchair Accessible", "Serves Alcohol",
    "Accepts Credit Cards", "Table Service",
)  # fmt: skip
RESTAURANT_KINDS = (Word("sit_down", "Sit down"), Word("cafe", "Café"))

PRICE_LEVELS = {
    "restaurants": {1: "$", 2: "$$ - $$$", 4: "$$$$"},
    "accommodations": {1: "$", 2: "$$", 3: "$$$", 4: "$$$$"},
}
SUBRATINGS = (
    Word("rate_location", "Location"), Word("rate_sleep", "Sleep Quality"), Word("rate_room", "Rooms"),
    Word("rate_service", "Service"), Word("rate_value", "Value"), Word("rate_cleanliness", "Cleanliness"),
)  # fmt: skip
TRIP_TYPES = (
    Word("business", "Business"), Word("couples", "Couples"), Word("solo", "Solo travel"), Word("family", "Family"),
    Word("friends", "Friends getaway"),
)  # fmt: skip
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
LANGUAGES = {
    "ar", "zh", "zh_TW", "da", "nl", "en_AU", "en_CA", "en_HK", "en_IN", "en_IE", "en_MY", "en_NZ", "en_PH",
    "en_SG", "en_ZA", "en_UK", "en", "fr", "fr_BE", "fr_CA", "fr_CH", "de_AT", "de", "el", "iw", "in", "it",
    "it_CH", "ja", "ko", "no", "pt_PT", "pt", "ru", "es_AR", "es_CO", "es_MX", "es_PE", "es", "es_VE", "es_CL",
    "sv", "th", "tr", "vi",
}  # fmt: skip


def choice(members: tuple[T, ...], random: Random) -> T:
    """Draw one of the members."""
    return members[int(random.random() * len(members))]


def some(members: tuple[T, ...], random: Random) -> list[T]:
    """Draw one to all of the members, in a drawn order."""
    drawn = [*members]
    random.shuffle(drawn)
    return drawn[: int(random.random() * len(drawn)) + 1]
