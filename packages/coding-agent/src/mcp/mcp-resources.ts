import type { ContentBlock } from '@parley/protocol';
import { type Input, objectSchema, optionalText, requireText, ToolInputError } from '../tools/input.ts';
import { failureFrom } from '../tools/outcome.ts';
import type { Tool, ToolOutcome } from '../tools/tool.ts';
import { listResources, type McpResource } from './mcp-lists.ts';
import type { ConnectedServer } from './mcp-server.ts';

const PATIENCE_MS = 60_000;

/** The pair of tools through which a model finds and reads what MCP servers hold; none where no server holds anything. */
export function createResourceTools(connected: readonly ConnectedServer[]): readonly Tool[] {
  const servers = connected.filter(({ hasResources }) => hasResources);
  if (servers.length === 0) return [];
  return [listTool(servers), readTool(servers)].map((tool) => tool as Tool);
}

function listTool(servers: readonly ConnectedServer[]): Tool<{ readonly server: string | undefined }> {
  return {
    name: 'list_mcp_resources',
    kind: 'other',
    level: 2,
    description: `Lists the resources that MCP servers offer for reading. Servers that have some: ${namesOf(servers)}.`,
    inputSchema: objectSchema({ server: { type: 'string', description: 'Only those of this server.' } }, []),
    parse: (input: Input) => ({ server: optionalText(input, 'server') }),
    describe: ({ server }) => ({ title: server === undefined ? 'List MCP resources' : `${server}: list resources` }),
    async run({ args, signal }) {
      try {
        const wanted = args.server === undefined ? servers : [requireServer(servers, args.server)];
        const lists = await Promise.all(
          wanted.map(async (server) => {
            const patience = { signal, timeout: PATIENCE_MS };
            const found = await server.use((client) => listResources(client, patience), signal);
            return found.map((resource) => describeResource(server.name, resource));
          }),
        );
        return { text: lists.flat().join('\n') || 'There are no resources.' };
      } catch (error) {
        return failureFrom(error, signal);
      }
    },
  };
}

interface ReadArgs {
  readonly server: string;
  readonly uri: string;
}

function readTool(servers: readonly ConnectedServer[]): Tool<ReadArgs> {
  return {
    name: 'read_mcp_resource',
    kind: 'other',
    level: 2,
    description: `Reads a resource of an MCP server by its address, as list_mcp_resources names it. Servers: ${namesOf(servers)}.`,
    inputSchema: objectSchema({ server: { type: 'string' }, uri: { type: 'string' } }, ['server', 'uri']),
    parse: (input: Input) => ({ server: requireText(input, 'server'), uri: requireText(input, 'uri') }),
    describe: ({ server, uri }) => ({ title: `${server}: read ${uri}` }),
    async run({ args: { server, uri }, signal }) {
      try {
        const options = { signal, timeout: PATIENCE_MS };
        const found = requireServer(servers, server);
        const { contents } = await found.use((client) => client.readResource({ uri }, options), signal);
        return toOutcome(contents);
      } catch (error) {
        return failureFrom(error, signal);
      }
    },
  };
}

interface ReadContent {
  readonly uri: string;
  readonly mimeType?: string | undefined;
  readonly text?: unknown;
  readonly blob?: unknown;
}

/** Text is read; images and recordings are shown; other bytes are named. */
function toOutcome(contents: readonly ReadContent[]): ToolOutcome {
  const texts: string[] = [];
  const media: ContentBlock[] = [];
  for (const { uri, mimeType = '', text, blob } of contents) {
    if (typeof text === 'string') texts.push(text);
    else if (typeof blob !== 'string') continue;
    else if (/^image\//.test(mimeType)) media.push({ type: 'image', mimeType, data: blob });
    else if (/^audio\//.test(mimeType)) media.push({ type: 'audio', mimeType, data: blob });
    else texts.push(`[${uri}: binary content that cannot be shown]`);
  }
  const text = texts.join('\n');
  return {
    text: text || (media.length > 0 ? 'See the attached content.' : 'It is empty.'),
    ...(media.length > 0 && { content: media }),
  };
}

function requireServer(servers: readonly ConnectedServer[], wanted: string): ConnectedServer {
  const found = servers.find(({ name }) => name === wanted);
  if (!found)
    throw new ToolInputError(`No MCP server with resources is called "${wanted}". There are: ${namesOf(servers)}.`);
  return found;
}

function namesOf(servers: readonly ConnectedServer[]): string {
  return servers.map(({ name }) => name).join(', ');
}

function describeResource(server: string, { uri, name, description, mimeType }: McpResource): string {
  const facts = [name, mimeType, description].filter((fact) => fact !== undefined && fact !== '');
  return `${server}: ${uri} (${facts.join(', ')})`;
}
