"""The one kind of answers that a home holds: `live` (with captures of live answers) or `sandbox`."""

import os
import secrets
from pathlib import Path

from sources.protocol.types import Origin
from sources.transport.archive.errors import OriginError, damaged, storing
from sources.transport.archive.folder import DRAFT, sync_folder

FILE = "ORIGIN"
KINDS: dict[Origin, str] = {"live": "live", "capture": "live", "sandbox": "sandbox"}


def kind_of(archive: Path) -> str | None:
    """Return the kind that an archive holds, None before its first answer. Raises DamagedArchive."""
    path = archive / FILE
    try:
        kind = path.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        kind = ""
    if kind not in KINDS.values():
        raise damaged(path, "names neither live nor sandbox")
    return kind


def claim(archive: Path, origin: Origin) -> None:
    """Make sure that an archive may hold answers of an origin; the first answer decides. Raises OriginError."""
    wanted = KINDS[origin]
    kind = kind_of(archive) or _decide(archive, wanted)
    if kind != wanted:
        raise OriginError(
            f"archive {archive} holds {kind} answers, and one home holds one kind: "
            f"a {origin} answer is refused; use another --home for it"
        )


def _decide(archive: Path, kind: str) -> str:
    path = archive / FILE
    draft = archive / f"{DRAFT}{FILE}-{os.getpid()}-{secrets.token_hex(4)}"
    with storing(path, "writing"):
        try:
            with draft.open("x", encoding="utf-8") as stream:
                stream.write(f"{kind}\n")
                stream.flush()
                os.fsync(stream.fileno())
            # Unlike a rename, a link fails when another process has decided meanwhile.
            path.hardlink_to(draft)
            sync_folder(archive)
        except FileExistsError:
            pass
        finally:
            draft.unlink(missing_ok=True)
    return kind_of(archive) or kind
