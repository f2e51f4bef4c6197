"""A session of fastmcp's client with our server, run by fastmcp's own interpreter: prints what it got as JSON."""

import asyncio
import json
import sys

from fastmcp import Client  # type: ignore[import-not-found]


async def main() -> None:
    target = json.loads(sys.argv[1])
    async with Client(target) as client:
        tools = [tool.name for tool in await client.list_tools()]
        found = await client.call_tool("search_products", {"query": "desk lamp", "max_price": 50})
        product_id = found.structured_content["products"][0]["id"]
        details = await client.call_tool("get_product_details", {"product_id": product_id})
        unknown = await client.call_tool("get_product_details", {"product_id": "NOPE"}, raise_on_error=False)
        told = {
            "tools": tools,
            "ids": [product["id"] for product in found.structured_content["products"]],
            "title": details.structured_content["product"]["title"],
            "error": unknown.content[0].text if unknown.is_error else None,
        }
        sys.stdout.write(json.dumps(told) + "\n")


asyncio.run(main())
