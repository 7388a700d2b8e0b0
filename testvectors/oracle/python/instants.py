"""Timestamps and validity windows (CGP F4, F18; PROTOCOL.md §1 and §5), compared by hand.

An instant stays text; its key is date, hour, minute and second as numbers, then the fraction digits without trailing zeros.
"""

import re

FORM = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?Z")
MONTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def days_in(year, month):
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and leap else MONTHS[month - 1]


def instant(text):
    """The comparable key of a timestamp, or None where it is malformed (CGP F4).

    Second 60 may stand in any minute: it comes after 59.9… and before the next minute. Fraction digits without trailing
    zeros compare as text just as they do as decimals.
    """
    match = FORM.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(part) for part in match.groups()[:6])
    if not 1 <= month <= 12 or not 1 <= day <= days_in(year, month):
        return None
    if hour > 23 or minute > 59 or second > 60:
        return None
    return year, month, day, hour, minute, second, (match.group(7) or "").rstrip("0")


def compare(a, b):
    """The verdict of op `instant` with two instants: a relative to b."""
    first, second = instant(a), instant(b)
    if first is None or second is None:
        return "malformed_instant"
    return "before" if first < second else "after" if first > second else "equal"


def window_fault(not_before, not_after):
    """"malformed" or "inverted" for a window that cannot be evaluated, else None; None ends are open."""
    ends = [end for end in (not_before, not_after) if end is not None]
    if any(instant(end) is None for end in ends):
        return "malformed"
    return "inverted" if len(ends) == 2 and instant(not_before) > instant(not_after) else None


def window(not_before, not_after, at):
    """Both ends are inclusive; the window is judged before the instant, and both fail closed (PROTOCOL §5)."""
    if not_before is None and not_after is None:
        return "in_service"
    if window_fault(not_before, not_after):
        return "malformed_window"
    moment = instant(at)
    if moment is None:
        return "malformed_instant"
    if not_before is not None and moment < instant(not_before):
        return "not_yet_valid"
    if not_after is not None and moment > instant(not_after):
        return "expired"
    return "in_service"
