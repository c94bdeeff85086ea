"""Shapes as data, and what follows them: arguments under other names in, answers in other fields out.

An alias is an operation in somebody else's words. It is made from the operation it stands for: the same
reading, the same changes, the same judge; only what goes in and what comes out is told differently.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, assert_never

from pydantic import ConfigDict, SerializerFunctionWrapHandler, create_model, model_serializer
from pydantic.fields import FieldInfo

from calward.errors import CalwardError, InvalidInput
from calward.model.ids import EventId, EventUid, split_occurrence_id
from calward.operations.arguments import parse
from calward.operations.changes import Change, CreateObject
from calward.operations.context import Context
from calward.operations.operation import Draft, Operation
from calward.operations.shapes import Answer, Arguments, Receipt


@dataclass(frozen=True, slots=True)
class ByUid:
    """An argument that is a UID, for one that is an id: looked up among the events that the caller sees."""

    argument: str


@dataclass(frozen=True, slots=True)
class Each:
    """A list: each item at ``path`` in a shape of its own, or one field of it where it has that. Only items
    ``having`` a field, where one is named."""

    path: str
    of: Shape | str
    having: str | None = None


@dataclass(frozen=True, slots=True)
class Inside:
    """The object at ``path``, in a shape of its own."""

    path: str
    of: Shape


@dataclass(frozen=True, slots=True)
class Fixed:
    """Always the same."""

    value: Any


@dataclass(frozen=True, slots=True)
class Given:
    """What the caller gave as this argument."""

    argument: str


@dataclass(frozen=True, slots=True)
class Uid:
    """The UID of the event whose id is at ``path``."""

    path: str


Uids = Mapping[EventId, EventUid]
Takes: TypeAlias = Mapping[str, "str | ByUid | Takes"]
"""Their argument → ours. A mapping stands for an object of arguments."""
Part: TypeAlias = "str | Each | Inside | Fixed | Given | Uid"
Shape: TypeAlias = Mapping[str, Part]
"""Their field → where it is in our answer (dots lead inwards), or how it is made."""


class Told(Answer):
    """An answer in an alias's shape, whatever its fields; one that waits keeps ``status`` and ``approval``."""

    model_config = ConfigDict(extra="allow", frozen=True)


class ToldFlat(Told):
    """One that says beside its fields, and not inside of them, that a person is asked."""

    @model_serializer(mode="wrap")
    def _flat(self, fields_of: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields: dict[str, Any] = fields_of(self)
        fields.pop("status", None)
        approval = fields.pop("approval", None)
        if not approval:
            return fields
        waiting = {"pending_approval": True, "approval_id": approval["id"], "message": approval["message"]}
        return {**waiting, **fields}


class ToldWhether(Told):
    """One that says whether it was done: what waits for a person was not."""

    @model_serializer(mode="wrap")
    def _whether(self, fields_of: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields: dict[str, Any] = fields_of(self)
        fields.pop("status", None)
        approval = fields.pop("approval", None)
        if not approval:
            return fields
        return {"success": False, "error": approval["message"], "approval_id": approval["id"]}


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name for an operation, with the shapes that go with it.

    ``fails`` is the shape of a failure for those that tell one as an answer; most leave it an error. ``needs``
    are arguments that have to be given here, though ours may be left out.
    """

    name: str
    of: Operation
    takes: Takes
    gives: Shape
    told: type[Told] = Told
    fails: Shape | None = None
    needs: tuple[str, ...] = ()


def operation_of(alias: Alias) -> Operation:
    """The alias as an operation that the pipeline executes like any other."""

    def propose(ctx: Context, given: Arguments) -> Draft[Told]:
        said = given.model_dump(exclude_unset=True)
        try:
            _check_complete(alias, said)
            arguments = parse(alias.of, _arguments(ctx, alias.takes, said))
            draft = alias.of.propose(ctx, arguments)
        except CalwardError as error:
            if alias.fails is None:
                raise
            failure = {"code": error.code, "message": error.message, "retryable": error.retryable}
            return Draft(alias.told.model_validate(_reshaped(failure, alias.fails, said, {})))
        return replace(draft, answer=_told(ctx, alias, draft, said))

    return replace(
        alias.of,
        name=alias.name,
        input=_input(alias.name, alias.takes, alias.of.input),
        output=alias.told,
        propose=propose,
    )


def _check_complete(alias: Alias, said: Mapping[str, Any]) -> None:
    """What an alias needs has to be given; where several of their arguments say the same, one of them, if ours
    has to be."""
    for name in alias.needs:
        if said.get(name) is None:
            raise InvalidInput(f"{alias.name} needs the argument {name!r}.")
    for key, field in alias.of.input.model_fields.items():
        theirs = [name for name, target in alias.takes.items() if target == (field.alias or key)]
        if field.is_required() and theirs and not said.keys() & set(theirs):
            raise InvalidInput(f"{alias.name} needs the argument {' or '.join(map(repr, theirs))}.")


def _arguments(ctx: Context, takes: Takes, said: Mapping[str, Any]) -> dict[str, Any]:
    """Their arguments as ours. Raises ``InvalidInput`` where two of theirs say the same of ours."""
    found: dict[str, Any] = {}
    for name, value in said.items():
        match takes[name]:
            case ByUid(argument):
                ours = {argument: ctx.view.event_of_uid(EventUid(value))}
            case str(argument):
                ours = {argument: value}
            case inner:
                ours = _arguments(ctx, inner, value or {})
        if twice := found.keys() & ours:
            raise InvalidInput(f"{name} says {', '.join(sorted(twice))} a second time; give it once.")
        found |= ours
    return found


def _told(ctx: Context, alias: Alias, draft: Draft[Any], said: Mapping[str, Any]) -> Any:
    """The draft's answer in the alias's shape, now or when the receipts are there.

    The UIDs are looked up now, while the view can be read: what an answer names does not hang on the receipts.
    """
    answer = draft.answer
    drafted = _fields(answer if isinstance(answer, Answer) else answer(()))
    uids = _uids(ctx, alias.gives, drafted, draft.changes)

    def shaped(fields: Mapping[str, Any]) -> Told:
        return alias.told.model_validate(_reshaped(fields, alias.gives, said, uids))

    if isinstance(answer, Answer):
        return shaped(drafted)
    later: Callable[[tuple[Receipt, ...]], Answer] = answer
    return lambda receipts: shaped(_fields(later(receipts)))


def _fields(answer: Answer) -> dict[str, Any]:
    return answer.model_dump(mode="json", by_alias=True, exclude_none=True)


def _uids(ctx: Context, shape: Shape, fields: Mapping[str, Any], changes: Sequence[Change]) -> Uids:
    """Event id → UID for all that the shape names, those about to be made included."""
    made = {change.event: change.uid for change in changes if isinstance(change, CreateObject)}
    wanted = {split_occurrence_id(ident)[0] for ident in _named(shape, fields)} - made.keys()
    return {**ctx.view.uids_of(tuple(wanted)), **made} if wanted else made


def _named(shape: Shape, fields: Mapping[str, Any]) -> list[str]:
    """The ids of the events whose UIDs a shape asks for."""
    found: list[str] = []
    for part in shape.values():
        match part:
            case Uid(path) if (ident := _at(fields, path)) is not None:
                found.append(ident)
            case Each(path, of, _) if not isinstance(of, str):
                for item in _at(fields, path) or ():
                    found += _named(of, item)
            case Inside(path, of):
                found += _named(of, _at(fields, path) or {})
    return found


def _reshaped(fields: Mapping[str, Any], shape: Shape, said: Mapping[str, Any], uids: Uids) -> dict[str, Any]:
    """The fields as the shape tells them; what is not there is left out."""
    told = {name: _part(fields, part, said, uids) for name, part in shape.items()}
    return {name: value for name, value in told.items() if value is not None}


def _part(fields: Mapping[str, Any], part: Part, said: Mapping[str, Any], uids: Uids) -> Any:
    match part:
        case str(path):
            return _at(fields, path)
        case Fixed(value):
            return value
        case Given(argument):
            return said.get(argument)
        case Uid(path):
            ident = _at(fields, path)
            return uids.get(split_occurrence_id(ident)[0]) if ident else None
        case Each(path, of, having):
            items = [one for one in _at(fields, path) or () if having is None or having in one]
            if isinstance(of, str):
                return [item[of] for item in items if of in item]
            return [_reshaped(item, of, said, uids) for item in items]
        case Inside(path, of):
            inner = _at(fields, path)
            return None if inner is None else _reshaped(inner, of, said, uids)
        case _:
            assert_never(part)


def _at(fields: Mapping[str, Any], path: str) -> Any:
    value: Any = fields
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _input(name: str, takes: Takes, ours: type[Arguments]) -> type[Arguments]:
    """A model of their arguments: types and caps are those of ours."""
    known = {field.alias or key: field for key, field in ours.model_fields.items()}
    targets = [target for target in takes.values() if isinstance(target, str)]
    fields: dict[str, Any] = {}
    for theirs, target in takes.items():
        match target:
            case ByUid():
                fields[theirs] = (str, ...)
            case str(argument):
                fields[theirs] = _like(known[argument], alone=targets.count(argument) == 1)
            case inner:
                fields[theirs] = (_input(f"{name}.{theirs}", inner, ours), ...)
    return create_model(name, __base__=Arguments, **fields)


def _like(field: FieldInfo, *, alone: bool) -> tuple[Any, Any]:
    """Type and default of a field; one of several names for it may always be left out."""
    if field.is_required() and alone:
        return field.rebuild_annotation(), ...
    return (field.rebuild_annotation() | None), None
