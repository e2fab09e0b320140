"""The cases of the official Python client, in the newest version of the protocol and in an older one. It checks the answer of
each tool against the schema that the server told. The last line has the counts: python client.py PLAN.JSON"""

import asyncio
import itertools
import json
import os
import sys
import traceback

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

with open(sys.argv[1], encoding="utf-8") as file:
    PLAN = json.load(file)
VALUES = PLAN["values"]
PROJECT = f"planwright://projects/{VALUES['project_id']}"


def over_http(mode):
    web = httpx2.AsyncClient(headers={"authorization": f"Bearer {PLAN['token']}"})
    return Client(streamable_http_client(f"{PLAN['base']}/mcp", http_client=web), mode=mode)


def over_standard_input(mode):
    environment = {**os.environ, "SVC_MCP_TOKEN": PLAN["token"]}
    server = StdioServerParameters(command=PLAN["binary"], args=["mcp", "--url", PLAN["base"]], env=environment)
    return Client(stdio_client(server), mode=mode)


async def every_tool_answers_in_its_own_form(client):
    tools = (await client.list_tools()).tools
    assert len(tools) >= 22, tools
    for tool in tools:
        known = tool.input_schema["properties"]
        given = {name: value for name, value in VALUES.items() if name in known}
        answer = await client.call_tool(tool.name, given)
        assert not answer.is_error, (tool.name, answer)
        assert answer.structured_content, tool.name


async def a_prompt_and_a_resource_can_be_read(client):
    prompts = (await client.list_prompts()).prompts
    prompt = await client.get_prompt(prompts[0].name, {"project_id": VALUES["project_id"]})
    assert VALUES["project_id"] in prompt.messages[0].content.text
    resources = (await client.list_resources()).resources
    assert PROJECT in [str(one.uri) for one in resources], resources
    contents = (await client.read_resource(PROJECT)).contents
    assert json.loads(contents[0].text)["project"]["id"] == VALUES["project_id"]


async def a_project_that_is_closed_to_agents_is_refused_with_the_reason(client):
    answer = await client.call_tool("get_project", {"project_id": PLAN["hidden"]})
    assert answer.is_error and answer.structured_content["status"] == 403, answer


# The protocol of 2026-07-28 without a handshake, and the one before it.
MODES = ["2026-07-28", "legacy"]
CASES = [
    every_tool_answers_in_its_own_form,
    a_prompt_and_a_resource_can_be_read,
    a_project_that_is_closed_to_agents_is_refused_with_the_reason,
]


async def main():
    passed = failed = 0
    ways = {"HTTP": over_http, "standard input": over_standard_input}
    for (way, connected), mode, case in itertools.product(ways.items(), MODES, CASES):
        name = f"Python, {way}, {mode}: {case.__name__.replace('_', ' ')}"
        try:
            async with connected(mode) as client:
                await case(client)
            passed += 1
            print(f"ok   {name}")
        except Exception:
            failed += 1
            lines = traceback.format_exc().splitlines()[-12:]
            print(f"FAIL {name}\n    " + "\n    ".join(lines))
    print(f"{passed} passed, {failed} failed")


asyncio.run(main())
