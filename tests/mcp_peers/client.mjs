// A session of the npm SDK's client with our server: prints what it got as JSON. node client.mjs SDK_FOLDER TARGET
import { pathToFileURL } from "node:url";
const [sdk, target] = [process.argv[2], JSON.parse(process.argv[3])];
const load = (name) => import(pathToFileURL(`${sdk}/dist/esm/client/${name}.js`));
const { Client } = await load("index");
const transport = target.url
  ? new (await load("streamableHttp")).StreamableHTTPClientTransport(new URL(target.url))
  : new (await load("stdio")).StdioClientTransport({ ...target, env: { ...process.env, ...target.env } });
const client = new Client({ name: "peer", version: "0" });
await client.connect(transport);
const call = (name, args) => client.callTool({ name, arguments: args });
const { tools } = await client.listTools();
const found = (await call("search_products", { query: "desk lamp", max_price: 50 })).structuredContent;
const details = (await call("get_product_details", { product_id: found.products[0].id })).structuredContent;
const unknown = await call("get_product_details", { product_id: "NOPE" });
console.log(JSON.stringify({
  tools: tools.map((tool) => tool.name),
  ids: found.products.map((product) => product.id),
  title: details.product.title,
  error: unknown.isError ? unknown.content[0].text : null,
}));
await client.close();
