"""Settings as plain values: environment over file over default, each with where it came from.

Pure: ``calward.bootstrap`` reads the environment and the file and hands both in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from calward.errors import SettingsError

PREFIX = "CALWARD_"


class Settings(BaseModel):
    """What can be set. Every name is also an environment variable: ``CALWARD_`` and the name in capitals."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    data_dir: str = Field("", description="Where the store lives; empty: the platform's own place")
    database_url: str = Field("", description="The store; empty: calward.db in data_dir")
    host: str = Field("127.0.0.1", description="The address to serve on")
    hosts: str = Field("", description="Further host names to answer to, such as a proxy's; commas between")
    port: int = Field(8321, ge=1, le=65535, description="The port to serve on")
    tls_cert: str = Field("", description="File with the certificate to serve with, and its chain")
    tls_key: str = Field("", description="File with the key of that certificate")
    public_url: str = Field("", description="Where people reach this server; links in messages lead there")
    proxy: str = Field("", description="Addresses of the proxy in front that speaks TLS; commas between")
    zone: str = Field("", description="IANA time zone of a new household; empty: the machine's")
    locale: str = Field(
        "", description="Language and customs of words for times, as en-GB or de", max_length=35
    )
    date_order: Literal["", "mdy", "dmy"] = Field("", description="What 3/4 means; empty: the locale's, asked")
    next_weekday: Literal["", "next_week", "coming"] = Field(
        "", description="What next friday means; empty: next_week, asked"
    )
    morning_from: int = Field(
        0, ge=0, le=12, description="First hour that needs no am, as 8 if at 7 is in the evening; 0: 7, asked"
    )
    sync_seconds: int = Field(60, ge=10, le=86400, description="Seconds from one sync to the next")
    sync_full_hours: int = Field(24, ge=1, le=720, description="Hours from one full listing to the next")
    name: str = Field("", description="Name of a new household's owner; empty: the user's")


@dataclass(frozen=True, slots=True)
class Resolved:
    """Settings with the origin of each: ``environment NAME``, ``file PATH`` or ``default``."""

    settings: Settings
    origins: Mapping[str, str]


def resolve(environment: Mapping[str, str], file: Mapping[str, Any], file_name: str = "") -> Resolved:
    """Raises ``SettingsError`` naming the setting that cannot be used, and where it came from."""
    values: dict[str, Any] = {}
    origins = dict.fromkeys(Settings.model_fields, "default")
    for name, value in file.items():
        values[name] = value
        origins[name] = f"file {file_name}"
    for name in Settings.model_fields:
        variable = PREFIX + name.upper()
        if environment.get(variable):
            values[name] = environment[variable]
            origins[name] = f"environment {variable}"
    try:
        return Resolved(Settings.model_validate(values), origins)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = str(first["loc"][0])
        if first["type"] == "extra_forbidden":
            known = ", ".join(Settings.model_fields)
            raise SettingsError(
                f"There is no setting {name!r} ({origins[name]}); there are: {known}."
            ) from None
        raise SettingsError(f"The setting {name} ({origins[name]}) cannot be used: {first['msg']}.") from None
