"""Signed-in people for the storage tests, one for each role."""

from core.roles import Person, Role

VIEWER = Person("https://id.example|v", "Vera", Role.VIEWER, signed_in=True, email="vera@example.org")
REVIEWER = Person("https://id.example|r", "Ria", Role.REVIEWER, signed_in=True, email="ria@example.org")
OTHER = Person("https://id.example|o", "Otto", Role.REVIEWER, signed_in=True, email="otto@example.org")
ADMIN = Person("https://id.example|a", "Ada", Role.ADMIN, signed_in=True, email="ada@example.org")
