"""The network side of accounts: CalDAV servers, and one in memory that fails on demand."""
