"""What torch's stubs do not say, as small tables and functions by canonical name, one subject a file."""
