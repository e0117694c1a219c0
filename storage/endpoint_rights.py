"""Who may have which endpoint asked with which key: a key of the server's goes only where an admin sends it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from core.errors import NotAllowed
from core.llm.endpoint import ENDPOINTS, Endpoint
from core.roles import Permission, Person, allowed


def require_endpoints(person: Person, endpoints: Iterable[Endpoint]) -> None:
    """Go on, unless a person would have a key of the server's environment sent to an address of their own choice.

    Raises:
        NotAllowed: If that is so, and the person may not change settings for everybody.
    """
    if allowed(person, Permission.CONFIGURE):
        return
    known = {(one.base_url, one.key_variable) for one in ENDPOINTS.values()}
    for endpoint in endpoints:
        if endpoint.key_variable and (endpoint.base_url, endpoint.key_variable) not in known:
            raise NotAllowed(
                f"Only an admin may have the key in {endpoint.key_variable} sent to {endpoint.base_url}; endpoints "
                "that need no key, and those that come with Moot, are open to reviewers."
            )


def guarded(person: Person, key_for: Callable[[Endpoint], str | None]) -> Callable[[Endpoint], str | None]:
    """Return what hands out keys as before, to endpoints that the person may have asked with them.

    What it returns raises ``NotAllowed`` for others.
    """

    def key(endpoint: Endpoint) -> str | None:
        require_endpoints(person, [endpoint])
        return key_for(endpoint)

    return key
