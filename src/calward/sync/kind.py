"""What can be done about one object."""

from enum import StrEnum


class Kind(StrEnum):
    """What to do with one object."""

    NOTHING = "nothing"
    FETCH = "fetch"
    """Get the server's version, then plan again."""
    PULL = "pull"
    """Take the server's version as ours and as the base, fetching its bytes if need be. A tombstone goes."""
    ADVANCE = "advance"
    """What we sent came through: the server's version is the base now, ours stays. Then plan again."""
    DROP_LOCAL = "drop_local"
    """Remove ours, keeping it restorable; the base goes."""
    FORGET = "forget"
    """Both sides are gone: the base or the tombstone goes too."""
    CREATE = "create"
    """Put ours where nothing is (``If-None-Match: *``)."""
    UPDATE = "update"
    """Put ours over the version with ``etag`` (``If-Match``)."""
    DROP_REMOTE = "drop_remote"
    """Delete the server's version with ``etag`` (``If-Match``)."""
    MERGE = "merge"
    """Both changed: put our edits into the server's version (``calward.sync.merge``). The server's becomes the
    base and the result ours, to be sent unless they are one; where they collide it is a conflict."""
    CONFLICT = "conflict"
    """Both changed: the server's version stays live, ours is kept as a version and shown."""
    HOLD = "hold"
    """Leave both sides as they are until a person has decided, or until the server's version can be read."""
