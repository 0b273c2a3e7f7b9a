"""Lets Linux refuse this process, and all that it starts, what an audit hook only asks Python for.

Landlock is a part of the kernel (5.13 and later) by which a process gives up rights for good. The
numbers are those of <linux/landlock.h>; each version of it knows more rights than the last.
"""

import ctypes
import os
import struct
import sys

CREATE, ADD, RESTRICT = 444, 445, 446  # system calls, the same on all machines
WRITE, TRUNCATE = 1 << 1, 1 << 14
# Start a program (bit 0), write, remove and make files of all kinds (4 to 12); not read (2, 3).
FILES = {1: 0b1_1111_1111_0011, 2: 1 << 13, 3: TRUNCATE}  # by the version that brought them
CONNECTIONS = {4: 0b11}  # listen, connect by TCP
PROCESSES = {6: 0b11}  # connect to abstract sockets, send signals to processes outside
NO_NEW_PRIVILEGES = 38
VERSION_ASKED = 1


def version() -> int:
    """Of Landlock in this kernel; 0 where there is none."""
    return max(_system_call(CREATE, None, 0, VERSION_ASKED), 0) if sys.platform == "linux" else 0


def give_up_rights() -> bool:
    """Give up changing files, starting programs, and reaching others, for good, if possible.

    Writing to os.devnull stays. Reading stays, and so does what Landlock has no right for: the
    mode, owner, times and attributes of a file.
    """
    known = version()
    if not known:
        return False
    rights = [
        sum(bits for since, bits in of.items() if since <= known)
        for of in (FILES, CONNECTIONS, PROCESSES)
    ]
    attributes = struct.pack("=QQQ", *rights)
    rules = _system_call(CREATE, attributes, len(attributes), 0)
    if rules < 0:
        return False
    nowhere = os.open(os.devnull, os.O_PATH)
    allowed = struct.pack("=Qi", rights[0] & (WRITE | TRUNCATE), nowhere)
    _system_call(ADD, rules, 1, allowed, 0)
    os.close(nowhere)
    ctypes.CDLL(None).prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    done = _system_call(RESTRICT, rules, 0)
    os.close(rules)
    return done == 0


def _system_call(number, *arguments):
    given = (ctypes.c_long(a) if isinstance(a, int) else a for a in arguments)
    call = ctypes.CDLL(None).syscall
    call.restype = ctypes.c_long
    return call(ctypes.c_long(number), *given)
