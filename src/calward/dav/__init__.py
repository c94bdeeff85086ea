"""CalDAV without I/O: requests and answers as values, and what an answer means.

Every module here builds an ``Ask`` or reads an ``Answer``; nothing here opens a connection. Sources: WebDAV
(RFC 4918), CalDAV (RFC 4791), collection synchronisation (RFC 6578), current-user-principal (RFC 5397) and
the discovery of services (RFC 6764).
"""
