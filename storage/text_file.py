"""What a file holds as text, or a clear word on why it is none."""

from __future__ import annotations

from core.errors import UnreadableFile


def utf8_text(content: bytes, name: str) -> str:
    """Return a file's text, without the mark that some programs begin it with.

    Args:
        content: Its bytes.
        name: What it is called, for the message.

    Raises:
        UnreadableFile: If it is no text in UTF-8.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableFile(f"{name} cannot be read: it is no text in UTF-8.") from error
    if "\0" in text:
        raise UnreadableFile(f"{name} cannot be read: it is no text, for it holds the sign NUL.")
    return text


__all__ = ["utf8_text"]
