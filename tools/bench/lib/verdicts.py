# SPDX-License-Identifier: GPL-2.0
"""What must hold of measured figures, in the Test Anything Protocol."""


def tap(found):
    """@found: (what must hold, the reasons why it does not). Return: whether all holds."""
    print(f"TAP version 13\n1..{len(found)}")
    for number, (what, reasons) in enumerate(found, 1):
        for reason in reasons:
            print(f"# {reason}")
        print(f"{'not ' if reasons else ''}ok {number} - {what}")
    return not any(reasons for _, reasons in found)
