// A day of a client, by the official TypeScript SDK of either generation: PROJECT CALLS COMMAND…
// Prints what held as one line of JSON. Node reads it from standard input, so that modules are found from its folder.
import { existsSync, readFileSync } from "node:fs";

const [project, calls, command, ...args] = process.argv.slice(2);
const [name, clientPath, stdioPath] = existsSync("node_modules/@modelcontextprotocol/client")
  ? ["@modelcontextprotocol/client", "@modelcontextprotocol/client", "@modelcontextprotocol/client/stdio"]
  : ["@modelcontextprotocol/sdk", "@modelcontextprotocol/sdk/client/index.js", "@modelcontextprotocol/sdk/client/stdio.js"];
const { Client } = await import(clientPath);
const { StdioClientTransport } = await import(stdioPath);
const version = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")).version;

const client = new Client({ name: "compatibility", version: "1" });
const transport = new StdioClientTransport({ command, args, cwd: project, env: process.env });
const agreed = [];
transport.setProtocolVersion = (version) => agreed.push(version);
await client.connect(transport);
const tools = (await client.listTools()).tools.map((tool) => tool.name);
const told = [];
for (const [tool, given] of JSON.parse(calls)) told.push(await client.callTool({ name: tool, arguments: given }));
const protocol = agreed.at(-1) ?? "not told";
const texts = told.map((answer) => answer.content[0].text);
console.log(JSON.stringify({ client: `${name} ${version}`, protocol, tools, texts, failed: told.map((a) => Boolean(a.isError)) }));
await client.close();
