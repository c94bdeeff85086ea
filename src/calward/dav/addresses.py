"""Which addresses are public, and which belong to this machine or to a network of one's own (RFC 1122 §3.2.1.3,
RFC 4291 §2.4; the ranges are those of the IANA's special-purpose registries, as ``ipaddress`` keeps them)."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network


def is_local(host: str) -> bool:
    """Whether a host is written as an address of this machine or of a private network. Names are not, save
    ``localhost``, which is this machine by definition (RFC 6761 §6.3)."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    address = literal(host)
    return address is not None and is_homely(address)


def literal(host: str) -> IPv4Address | IPv6Address | None:
    """The address that a host is, that which is inside where it only wraps one (RFC 4291 §2.5.5.2, RFC 3056,
    RFC 6052); None for a name."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, IPv4Address):
        return address
    if address in NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped or address.sixtofour or address


def is_public(address: IPv4Address | IPv6Address) -> bool:
    return address.is_global and not (address.is_multicast or address.is_reserved)


def is_homely(address: IPv4Address | IPv6Address) -> bool:
    """This machine, or a network of one's own. Link-local is not: clouds keep their secrets there."""
    if address.is_loopback:
        return True  # asked first, since ::1 is in a block that is reserved as well
    if address.is_link_local or address.is_multicast or address.is_unspecified or address.is_reserved:
        return False
    return address.is_private or address in SHARED_ADDRESSES


SHARED_ADDRESSES = ip_network("100.64.0.0/10")
"""RFC 6598: behind a provider's gateway, and what overlay networks at home use."""
NAT64 = ip_network("64:ff9b::/96")
"""RFC 6052: an IPv4 address in the last 32 bits."""
