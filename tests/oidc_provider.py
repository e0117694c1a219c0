"""A small OpenID Connect provider on this machine: the authorisation code flow with PKCE, and tokens that are signed.

Its sign-in page lists its people; a click is all it takes. It refuses what the specification has it refuse, so that a
client that gets through has done its part.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import secrets
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, quote, unquote, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT_ID = "moot-tests"
CLIENT_SECRET = secrets.token_hex(16)
LIFETIME = 3600  # seconds


@dataclass
class Grant:
    """What a code stands for, once."""

    person: str
    redirect_uri: str
    nonce: str
    challenge: str


@dataclass
class Provider:
    """The provider.

    Attributes:
        people: Claims by subject.
        redirects: Addresses to which people may be sent back.
        forgers: Subjects whose tokens are signed with a key that is not the provider's.
        issued: How many tokens were given out.
    """

    people: dict[str, dict[str, Any]]
    address: str = ""
    redirects: set[str] = field(default_factory=set)
    forgers: set[str] = field(default_factory=set)
    issued: int = 0
    grants: dict[str, Grant] = field(default_factory=dict)
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "provider", "use": "sig"}))
    false_key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "provider", "use": "sig"}))

    @property
    def configuration_address(self) -> str:
        """Return where the provider describes itself."""
        return f"{self.address}/.well-known/openid-configuration"

    def secrets_toml(self) -> str:
        """Return the secrets.toml of a Moot whose people sign in here."""
        values = {
            "redirect_uri": "http://127.0.0.1:{port}/oauth2callback",
            "cookie_secret": secrets.token_hex(32),
            "client_id": CLIENT_ID,
            "client_secret": CLIENT_SECRET,
            "server_metadata_url": self.configuration_address,
        }
        return "[auth]\n" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in values.items())

    def id_token(self, grant: Grant) -> str:
        """Return a signed token about who was granted a code."""
        now = int(time.time())
        claims = {"iss": self.address, "sub": grant.person, "aud": CLIENT_ID, "iat": now, "exp": now + LIFETIME}
        claims |= self.people[grant.person] | ({"nonce": grant.nonce} if grant.nonce else {})
        key = self.false_key if grant.person in self.forgers else self.key
        self.issued += 1
        return jwt.encode({"alg": "RS256", "kid": "provider"}, claims, key)


class _Handler(BaseHTTPRequestHandler):
    provider: Provider

    def do_GET(self) -> None:
        where = urlsplit(self.path)
        query = dict(parse_qsl(where.query))
        match where.path:
            case "/.well-known/openid-configuration":
                self._json(self._description())
            case "/jwks":
                self._json({"keys": [self.provider.key.as_dict(private=False)]})
            case "/authorize":
                self._sign_in_page(query)
            case "/choose":
                self._choose(query)
            case "/logout":
                self._log_out(query)
            case _:
                self._answer(404, "text/plain", "There is nothing here.")

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", "0"))
        form = {name: values[0] for name, values in parse_qs(self.rfile.read(length).decode()).items()}
        if urlsplit(self.path).path != "/token":
            self._answer(404, "text/plain", "There is nothing here.")
            return
        trouble = self._client_trouble(form)
        grant = self.provider.grants.pop(form.get("code", ""), None)
        if trouble is None and not (grant and self._fits(grant, form)):
            trouble = "invalid_grant"
        if trouble is not None or grant is None:
            self._json({"error": trouble}, 400)
            return
        self._json(
            {
                "access_token": secrets.token_hex(16),
                "token_type": "Bearer",
                "expires_in": LIFETIME,
                "id_token": self.provider.id_token(grant),
            }
        )

    def _description(self) -> dict[str, Any]:
        address = self.provider.address
        return {
            "issuer": address,
            "authorization_endpoint": f"{address}/authorize",
            "token_endpoint": f"{address}/token",
            "jwks_uri": f"{address}/jwks",
            "end_session_endpoint": f"{address}/logout",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
            "scopes_supported": ["openid", "email", "profile"],
        }

    def _sign_in_page(self, query: Mapping[str, str]) -> None:
        wrong = [
            name
            for name, fits in {
                "client_id": query.get("client_id") == CLIENT_ID,
                "redirect_uri": query.get("redirect_uri") in self.provider.redirects,
                "response_type": query.get("response_type") == "code",
                "scope": "openid" in query.get("scope", "").split(),
                "code_challenge_method": query.get("code_challenge_method") == "S256",
            }.items()
            if not fits
        ]
        if wrong:
            self._answer(400, "text/plain", f"The request's {wrong[0]} is wrong.")
            return
        ways = {subject: f"/choose?{urlencode({**query, 'person': subject})}" for subject in self.provider.people}
        links = "".join(f'<li><a href="{html.escape(way)}">{html.escape(who)}</a></li>' for who, way in ways.items())
        self._answer(
            200, "text/html", f"<!doctype html><title>Who are you?</title><h1>Who are you?</h1><ul>{links}</ul>"
        )

    def _choose(self, query: Mapping[str, str]) -> None:
        if query.get("redirect_uri") not in self.provider.redirects or query.get("person") not in self.provider.people:
            self._answer(400, "text/plain", "No.")
            return
        code = secrets.token_urlsafe(24)
        self.provider.grants[code] = Grant(
            query["person"], query["redirect_uri"], query.get("nonce", ""), query.get("code_challenge", "")
        )
        self._redirect(f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query.get('state', '')})}")

    def _log_out(self, query: Mapping[str, str]) -> None:
        back = query.get("post_logout_redirect_uri", "")
        if back in self.provider.redirects:
            self._redirect(back)
        else:
            self._answer(200, "text/plain", "Signed out.")

    def _client_trouble(self, form: Mapping[str, str]) -> str | None:
        given = (form.get("client_id"), form.get("client_secret"))
        header = self.headers.get("Authorization", "")
        if header.startswith("Basic "):
            name, _, word = base64.b64decode(header.removeprefix("Basic ")).decode().partition(":")
            given = (unquote(name), unquote(word))
        return None if given == (CLIENT_ID, CLIENT_SECRET) else "invalid_client"

    def _fits(self, grant: Grant, form: Mapping[str, str]) -> bool:
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        return grant.redirect_uri == form.get("redirect_uri") and grant.challenge == challenge

    def _json(self, value: Mapping[str, Any], status: int = 200) -> None:
        self._answer(status, "application/json", json.dumps(value))

    def _redirect(self, where: str) -> None:
        self.send_response(302)
        self.send_header("Location", quote(where, safe=":/?&=%+-._~"))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _answer(self, status: int, kind: str, text: str) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def running(people: dict[str, dict[str, Any]]) -> Iterator[Provider]:
    """Run a provider with these people, each with the claims of its token, on a free port."""
    provider = Provider(people)
    handler = type("Handler", (_Handler,), {"provider": provider})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    provider.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


__all__ = ["Provider", "running"]
