"""What the conformance suite of MCP expects of the server it tries: tools, resources and prompts by name.

Calward has tools alone. These stand in for the rest, so that the suite can try every corner of the protocol on
the server that Calward makes. Names and answers are the suite's (@modelcontextprotocol/conformance).
"""

from __future__ import annotations

import base64
import json
import struct
import zlib
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.prompts.base import UserMessage
from mcp.shared.exceptions import MCPError
from mcp_types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    AudioContent,
    Completion,
    CompletionArgument,
    CompletionContext,
    ContentBlock,
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    EmbeddedResource,
    EmptyResult,
    ImageContent,
    InputRequest,
    InputRequiredResult,
    ListRootsRequest,
    PromptReference,
    ResourceTemplateReference,
    SamplingMessage,
    SetLevelRequestParams,
    SubscribeRequestParams,
    TextContent,
    TextResourceContents,
    UnsubscribeRequestParams,
)
from pydantic import BaseModel, Field, JsonValue

Answer = str | InputRequiredResult


def _png() -> bytes:
    """One red pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\0\xff\0\0")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def _wav() -> bytes:
    """No sound at all."""
    form = b"fmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 8000, 1, 8) + b"data" + struct.pack("<I", 0)
    return b"RIFF" + struct.pack("<I", 4 + len(form)) + b"WAVE" + form


PNG = _png()
IMAGE = ImageContent(type="image", data=base64.b64encode(PNG).decode(), mime_type="image/png")
AUDIO = AudioContent(type="audio", data=base64.b64encode(_wav()).decode(), mime_type="audio/wav")


def fixtures() -> MCPServer[Any]:
    """A server of the SDK that holds them."""
    server: MCPServer[Any] = MCPServer("fixtures", version="1")
    for tool in (*CONTENTS, *ASKING, *ROUNDS):
        server.add_tool(tool)
    _add_resources(server)
    _add_prompts(server)

    @server.completion()  # type: ignore[no-untyped-call, untyped-decorator]
    async def complete(
        _: PromptReference | ResourceTemplateReference, __: CompletionArgument, ___: CompletionContext | None
    ) -> Completion:
        return Completion(values=[], total=0, has_more=False)

    return server


async def set_level(_: ServerRequestContext[Any, Any], __: SetLevelRequestParams) -> EmptyResult:
    return EmptyResult()


async def subscribe(
    _: ServerRequestContext[Any, Any], __: SubscribeRequestParams | UnsubscribeRequestParams
) -> EmptyResult:
    return EmptyResult()


def _text(uri: str, text: str, kind: str = "text/plain") -> EmbeddedResource:
    return EmbeddedResource(type="resource", resource=TextResourceContents(uri=uri, mime_type=kind, text=text))


# --- answers of every kind ------------------------------------------------------------------------------------


def test_simple_text() -> str:
    """Answers with text."""
    return "This is a simple text response for testing."


def test_image_content() -> list[ImageContent]:
    """Answers with a picture."""
    return [IMAGE]


def test_audio_content() -> list[AudioContent]:
    """Answers with a sound."""
    return [AUDIO]


def test_embedded_resource() -> list[EmbeddedResource]:
    """Answers with a resource."""
    return [_text("test://embedded-resource", "This is an embedded resource content.")]


def test_multiple_content_types() -> list[ContentBlock]:
    """Answers with text, a picture and a resource."""
    words = TextContent(type="text", text="Multiple content types test:")
    return [words, IMAGE, _text("test://mixed-content-resource", '{"kind": "mixed"}', "application/json")]


def test_error_handling() -> str:
    """Fails."""
    raise RuntimeError("This tool intentionally returns an error for testing")


async def test_tool_with_logging(ctx: Context) -> str:
    """Tells what it is at."""
    for at in ("started", "processing data", "completed"):
        await ctx.info(f"Tool {at}")
    return "Three messages were logged."


async def test_tool_with_progress(ctx: Context) -> str:
    """Tells how far it is."""
    for step in (0, 50, 100):
        await ctx.report_progress(progress=step, total=100, message=f"{step} of 100")
    return "All done."


CONTENTS = (
    test_simple_text,
    test_image_content,
    test_audio_content,
    test_embedded_resource,
    test_multiple_content_types,
    test_error_handling,
    test_tool_with_logging,
    test_tool_with_progress,
)

# --- asking the client while it waits (2025-11-25) ------------------------------------------------------------


async def test_sampling(prompt: str, ctx: Context) -> str:
    """Has the client's model say something."""
    answer = await ctx.session.create_message(
        messages=[SamplingMessage(role="user", content=TextContent(type="text", text=prompt))],
        max_tokens=100,
        related_request_id=ctx.request_id,
    )
    said = answer.content
    return f"LLM response: {said.text if isinstance(said, TextContent) else ''}"


class Reply(BaseModel):
    response: str = Field(description="The answer")


class Defaults(BaseModel):
    """A default of each simple type."""

    name: str = Field(default="John Doe")
    age: int = Field(default=30)
    score: float = Field(default=95.5)
    status: str = Field(default="active", json_schema_extra={"enum": ["active", "inactive", "pending"]})
    verified: bool = Field(default=True)


def _titled(*pairs: str) -> list[JsonValue]:
    return [{"const": const, "title": title} for const, title in (pair.split("=") for pair in pairs)]


class Choices(BaseModel):
    """A choice in each way a schema can put it."""

    untitledSingle: str = Field(json_schema_extra={"enum": ["option1", "option2", "option3"]})  # noqa: N815
    titledSingle: str = Field(  # noqa: N815
        json_schema_extra={"oneOf": [*_titled("value1=First", "value2=Second", "value3=Third")]}
    )
    legacyEnum: str = Field(  # noqa: N815
        json_schema_extra={"enum": ["opt1", "opt2", "opt3"], "enumNames": ["One", "Two", "Three"]}
    )
    untitledMulti: list[str] = Field(  # noqa: N815
        json_schema_extra={"items": {"type": "string", "enum": ["option1", "option2", "option3"]}}
    )
    titledMulti: list[str] = Field(  # noqa: N815
        json_schema_extra={"items": {"anyOf": [*_titled("value1=First", "value2=Second", "value3=Third")]}}
    )


async def _elicited(ctx: Context, message: str, schema: type[BaseModel]) -> str:
    result = await ctx.elicit(message=message, schema=schema)
    content = result.data.model_dump_json() if result.action == "accept" else "{}"
    return f"action={result.action}, content={content}"


async def test_elicitation(message: str, ctx: Context) -> str:
    """Asks the person."""
    return f"User response: {await _elicited(ctx, message, Reply)}"


async def test_elicitation_sep1034_defaults(ctx: Context) -> str:
    """Asks the person, and proposes the answers."""
    return f"Elicitation completed: {await _elicited(ctx, 'Who are you?', Defaults)}"


async def test_elicitation_sep1330_enums(ctx: Context) -> str:
    """Has the person choose."""
    return f"Elicitation completed: {await _elicited(ctx, 'Which ones?', Choices)}"


ASKING = (
    test_sampling,
    test_elicitation,
    test_elicitation_sep1034_defaults,
    test_elicitation_sep1330_enums,
)

# --- asking the client in rounds (2026-07-28) -----------------------------------------------------------------


def _ask(message: str, **properties: str) -> ElicitRequest:
    schema = {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in properties.items()},
        "required": list(properties),
    }
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


def _sample(text: str) -> CreateMessageRequest:
    said = SamplingMessage(role="user", content=TextContent(type="text", text=text))
    return CreateMessageRequest(params=CreateMessageRequestParams(messages=[said], max_tokens=100))


NAME = _ask("What is your name?", name="string")


def _content(ctx: Context, key: str) -> dict[str, Any]:
    answer = (ctx.input_responses or {}).get(key)
    return dict(answer.content) if isinstance(answer, ElicitResult) and answer.content else {}


async def test_input_required_result_elicitation(ctx: Context) -> Answer:
    """Asks for a name."""
    name = _content(ctx, "user_name").get("name")
    return f"Hello, {name}!" if name else InputRequiredResult(input_requests={"user_name": NAME})


async def test_input_required_result_sampling(ctx: Context) -> Answer:
    """Asks the client's model."""
    if "capital_question" in (ctx.input_responses or {}):
        return "The model has answered."
    question = _sample("What is the capital of France?")
    return InputRequiredResult(input_requests={"capital_question": question})


async def test_input_required_result_list_roots(ctx: Context) -> Answer:
    """Asks for the client's roots."""
    if "client_roots" in (ctx.input_responses or {}):
        return "The client has told its roots."
    return InputRequiredResult(input_requests={"client_roots": ListRootsRequest()})


async def test_input_required_result_request_state(ctx: Context) -> Answer:
    """Gives a state away and wants it back."""
    if ctx.request_state == "first" and "confirm" in (ctx.input_responses or {}):
        return "state-ok: it came back as it went."
    asked: dict[str, InputRequest] = {"confirm": _ask("Please confirm.", ok="boolean")}
    return InputRequiredResult(input_requests=asked, request_state="first")


async def test_input_required_result_tampered_state(ctx: Context) -> Answer:
    """Gives a state away; one that was changed must not get here."""
    return await test_input_required_result_request_state(ctx)


async def test_input_required_result_multiple_inputs(ctx: Context) -> Answer:
    """Asks three things at once."""
    asked: dict[str, InputRequest] = {
        "user_name": NAME,
        "greeting": _sample("Say hello."),
        "client_roots": ListRootsRequest(),
    }
    if asked.keys() <= (ctx.input_responses or {}).keys():
        return "All three were answered."
    return InputRequiredResult(input_requests=asked, request_state="three")


async def test_input_required_result_multi_round(ctx: Context) -> Answer:
    """Asks for a name, then for a colour."""
    heard = json.loads(ctx.request_state or "{}")
    heard |= _content(ctx, "step1") | _content(ctx, "step2")
    if "color" in heard and "name" in heard:
        return f"{heard['name']} likes {heard['color']}."
    asked: dict[str, InputRequest] = (
        {"step2": _ask("What is your favorite color?", color="string")} if "name" in heard else {"step1": NAME}
    )
    return InputRequiredResult(input_requests=asked, request_state=json.dumps(heard | {"round": len(heard)}))


async def test_input_required_result_capabilities(ctx: Context) -> InputRequiredResult:
    """Asks only what the client said it can answer."""
    can = ctx.client_capabilities
    asked: dict[str, InputRequest] = {}
    if can is None or can.sampling is not None:
        asked["sample"] = _sample("Say hello.")
    if can is None or can.elicitation is not None:
        asked["ask"] = NAME
    return InputRequiredResult(input_requests=asked, request_state="by what it can")


async def test_missing_capability(ctx: Context) -> str:
    """Needs a client with a model."""
    if ctx.client_capabilities is None or ctx.client_capabilities.sampling is None:
        needed: dict[str, JsonValue] = {"requiredCapabilities": {"sampling": {}}}
        raise MCPError(MISSING_REQUIRED_CLIENT_CAPABILITY, "The client must offer sampling.", needed)
    return "The client offers sampling."


async def test_trigger_tool_change(ctx: Context) -> str:
    """Tells whoever listens that the tools are others now."""
    await ctx.notify_tools_changed()
    return "It was told."


async def test_trigger_prompt_change(ctx: Context) -> str:
    """Tells whoever listens that the prompts are others now."""
    await ctx.notify_prompts_changed()
    return "It was told."


ROUNDS = (
    test_missing_capability,
    test_trigger_tool_change,
    test_trigger_prompt_change,
    test_input_required_result_elicitation,
    test_input_required_result_sampling,
    test_input_required_result_list_roots,
    test_input_required_result_request_state,
    test_input_required_result_tampered_state,
    test_input_required_result_multiple_inputs,
    test_input_required_result_multi_round,
    test_input_required_result_capabilities,
)

# --- resources and prompts ------------------------------------------------------------------------------------


def _add_resources(server: MCPServer[Any]) -> None:
    @server.resource("test://static-text", mime_type="text/plain")
    def static_text() -> str:
        return "This is the content of the static text resource."

    @server.resource("test://static-binary", mime_type="image/png")
    def static_binary() -> bytes:
        return PNG

    @server.resource("test://template/{id}/data", mime_type="application/json")
    def template(id: str) -> str:
        return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})

    @server.resource("test://watched-resource", mime_type="text/plain")
    def watched() -> str:
        return "Watched resource content"


def _say(*contents: ContentBlock) -> list[UserMessage]:
    return [UserMessage(content=content) for content in contents]


def _words(text: str) -> TextContent:
    return TextContent(type="text", text=text)


def _add_prompts(server: MCPServer[Any]) -> None:
    @server.prompt()
    def test_simple_prompt() -> list[UserMessage]:
        """Says something."""
        return _say(_words("This is a simple prompt for testing."))

    @server.prompt()
    def test_prompt_with_arguments(arg1: str, arg2: str) -> list[UserMessage]:
        """Says what it is told."""
        return _say(_words(f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"))

    @server.prompt()
    def test_prompt_with_embedded_resource(resourceUri: str) -> list[UserMessage]:  # noqa: N803
        """Brings a resource."""
        embedded = _text(resourceUri, "Embedded resource content for testing.")
        return _say(embedded, _words("Please process the embedded resource above."))

    @server.prompt()
    def test_prompt_with_image() -> list[UserMessage]:
        """Brings a picture."""
        return _say(IMAGE, _words("Please analyze the image above."))

    @server.prompt()
    async def test_input_required_result_prompt(ctx: Context) -> list[UserMessage] | InputRequiredResult:
        """Asks for a context first."""
        context = _content(ctx, "user_context").get("context")
        if context:
            return _say(_words(f"Use the following context: {context}"))
        asked: dict[str, InputRequest] = {"user_context": _ask("What is the context?", context="string")}
        return InputRequiredResult(input_requests=asked)
