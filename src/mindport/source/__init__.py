"""Files as the other rooms see them: found, decoded, parsed, and written back.

Nothing here runs what it reads, and no input makes it raise: bad input becomes findings.
"""
