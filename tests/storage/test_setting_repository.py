from __future__ import annotations

import pytest

from core.errors import InvalidSetting
from storage.setting_repository import SettingRepository


@pytest.fixture
def settings(database):
    return SettingRepository(database)


@pytest.mark.parametrize("value", [None, True, 3, 0.1 + 0.2, "text", [1, "two"], {"a": {"b": [None]}}])
def test_a_setting_comes_back_as_it_was(settings, value):
    settings.set("preferences", value)
    assert settings.get("preferences", "default") == value
    assert settings.all() == {"preferences": value}


def test_a_setting_is_replaced_and_forgotten(settings):
    settings.set("theme", "dark")
    settings.set("theme", "light")
    assert settings.get("theme") == "light"
    settings.remove("theme")
    assert settings.get("theme", "system") == "system"


@pytest.mark.parametrize("key", ["keyboard", "monkey", "max_tokens", "x'; DROP TABLE setting; --", "%", "é"])
def test_ordinary_keys_are_taken(settings, key):
    settings.set(key, 1)
    assert settings.get(key) == 1


@pytest.mark.parametrize(
    "key",
    ["api_key", "apiKey", "OPENAI_API_KEY", "provider.key", "key", "auth-token", "accessToken", "password",
     "dbPassword", "client_secret", "Authorization", "cookie_secret", "user_credentials", "apikey"],
)  # fmt: skip
def test_keys_that_name_a_secret_are_refused(settings, key):
    with pytest.raises(InvalidSetting, match="looks like a secret"):
        settings.set(key, "x")
    with pytest.raises(InvalidSetting, match="looks like a secret"):
        settings.set("provider", {"name": "x", "more": [{key: "y"}]})
    assert settings.all() == {}


@pytest.mark.parametrize(
    "value", ["sk-proj-abcdefgh12345678", "Bearer abcdefghij", "eyJhbGciOiJIUzI1.eyJzdWIiOiIx.sig"]
)
def test_values_that_look_like_a_secret_are_refused(settings, value):
    with pytest.raises(InvalidSetting, match="looks like a secret"):
        settings.set("note", {"text": [f"use {value} please"]})


@pytest.mark.parametrize("key", ["", "  ", "k" * 201])
def test_a_key_needs_a_sensible_length(settings, key):
    with pytest.raises(InvalidSetting, match="characters"):
        settings.set(key, 1)
