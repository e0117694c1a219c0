"""Failure messages of model providers that a log took for arguments.

Only plain cases count, because an argument may well begin with "Error:": a message must name a failure in the way
programs do, and something of a provider's or a network's besides.
"""

from __future__ import annotations

import re

_LONGEST = 4000  # a failure message with a whole page in it is longer, but begins the same

_OPENING = re.compile(
    r"\s*[\[(*]*(?:"
    r"(?:api[ _])?(?:error|exception|failure)\b(?: code)?\s*[:\]=-]"  # Error: ..., [ERROR] ..., Error code: ...
    r"|(?-i:(?:[A-Za-z_]+\.)*[A-Z][A-Za-z]*(?:Error|Exception|Timeout)\b\s*[:(])"  # openai.RateLimitError: ...
    r"|(?:request|api call|generation|completion) failed\b"
    r"|failed to (?:get|fetch|generate|call|connect|parse)\b"
    r")",
    re.IGNORECASE,
)
_PROVIDER_WORDS = re.compile(
    r"\b(?:"
    r"(?:from|by) (?:the )?(?:model )?provider|provider returned|api (?:key|error|request|call|returned|connection)"
    r"|rate.?limit(?:ed|s|ing)? (?:reached|exceeded|error|hit)|rate_limit\w*"
    r"|insufficient_quota|current quota|quota exceeded"
    r"|(?:read|request|connect|gateway|connection) ?time-?(?:d )?out|timed out|timeout (?:after|of|error|exceeded)"
    r"|connection (?:error|refused|reset|aborted|closed)|empty response|no response (?:from|received)"
    r"|overloaded_error|currently overloaded|model is overloaded|bad gateway|service unavailable|internal server error"
    r"|too many requests|maximum context length|context_length_exceeded|max_tokens|invalid_request_error|server_error"
    r"|status code|ssl(?:error| certificate)|name resolution|max retries exceeded|https?:"
    r")\b"
    r"|['\"]?(?:code|status)['\"]?\s*[:=]\s*['\"]?[45]\d\d\b"
    r"|\b(?:error|http)(?: code)?[:\s]+[45]\d\d\b",
    re.IGNORECASE,
)
_STATUS = r"(?:Bad Gateway|Internal Server Error|Service Unavailable|Gateway Time-?out|Too Many Requests|Unauthorized)"
_WHOLE = re.compile(
    r"\s*(?:"
    r"\{\s*['\"]error['\"]\s*:"  # a provider's error body as it came
    r"|\{\s*['\"]type['\"]\s*:\s*['\"]error['\"]"
    r"|\{\s*['\"]type['\"]\s*:\s*['\"](?:thread|turn|item|response|content_block|message)[._](?:started|created|delta|completed"
    r"|start|stop|done|added|failed|in_progress)\b"  # a line of a provider's stream that was taken for the reply
    r"|Traceback \(most recent call last\):"
    r"|Rate limit (?:reached|exceeded) for\b"
    rf"|(?:HTTP )?[45]\d\d {_STATUS}\b"
    r"|Too Many Requests\s*\.?\s*$"
    r"|<(?:!DOCTYPE )?html\b.{0,400}?\b[45]\d\d\b"
    r"|You exceeded your current quota\b"
    r"|The server had an error (?:while )?processing your request\b"
    r")",
    re.IGNORECASE | re.DOTALL,
)


def is_provider_error(text: str) -> bool:
    """Return whether a text is a provider's failure message rather than anybody's argument."""
    beginning = text[:_LONGEST]
    if _WHOLE.match(beginning):
        return True
    opening = _OPENING.match(beginning)
    return opening is not None and _PROVIDER_WORDS.search(beginning) is not None
