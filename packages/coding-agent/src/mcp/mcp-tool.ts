import { createHash } from 'node:crypto';
import type { ContentBlock } from '@parley/protocol';
import { failureFrom } from '../tools/outcome.ts';
import type { Tool, ToolOutcome } from '../tools/tool.ts';
import type { ConnectedServer, McpTool } from './mcp-server.ts';

/** Providers take no longer names, and no other characters. */
export const MAX_NAME_CHARACTERS = 64;
const CALL_TIMEOUT_MS = 10 * 60_000;

type Args = Readonly<Record<string, unknown>>;

/** A tool of an MCP server as a tool of ours, under the name that permission rules know: `mcp__server__tool`. */
export function createMcpTool(server: ConnectedServer, tool: McpTool): Tool<Args> {
  return {
    name: mcpToolName(server.name, tool.name),
    kind: 'other',
    level: tool.isReadOnly ? 2 : 3,
    description: tool.description ?? `The tool ${tool.name} of the MCP server ${server.name}.`,
    inputSchema: { type: 'object', ...tool.inputSchema },
    parse: (input) => input,
    describe: () => ({ title: `${server.name}: ${tool.name}` }),
    async run({ args, signal }) {
      try {
        const result = await server.client.callTool(
          { name: tool.name, arguments: args },
          { signal, timeout: CALL_TIMEOUT_MS, resetTimeoutOnProgress: true },
        );
        return toOutcome(result);
      } catch (error) {
        return failureFrom(error, signal);
      }
    },
  };
}

/** `mcp__server__tool`, with what providers refuse replaced; a long name keeps its end apart by a hash. */
export function mcpToolName(server: string, tool: string): string {
  const name = `mcp__${clean(server)}__${clean(tool)}`;
  if (name.length <= MAX_NAME_CHARACTERS) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.slice(0, MAX_NAME_CHARACTERS - 9)}_${hash}`;
}

const KNOWN: ReadonlySet<string> = new Set<ContentBlock['type']>([
  'text',
  'image',
  'audio',
  'resource',
  'resource_link',
]);

function isKnown(block: unknown): block is ContentBlock {
  return KNOWN.has((block as { readonly type?: string } | null)?.type ?? '');
}

function clean(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_');
}

interface CallResult {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
}

/** MCP's content is ACP's content, so images and resources pass through; text is what the model reads first. */
function toOutcome({ content, structuredContent, isError }: CallResult): ToolOutcome {
  const blocks = (Array.isArray(content) ? content : []).filter(isKnown);
  const text = blocks.map((block) => (block.type === 'text' ? block.text : '')).filter((each) => each !== '');
  const others = blocks.filter((block) => block.type !== 'text');
  const structured = text.length === 0 && structuredContent !== undefined ? [JSON.stringify(structuredContent)] : [];
  const said = [...text, ...structured].join('\n');
  return {
    text: said === '' ? (others.length > 0 ? 'See the attached content.' : 'Done, with no output.') : said,
    isError: isError === true,
    ...(others.length > 0 && { content: others }),
    ...(structuredContent !== undefined && { rawOutput: structuredContent }),
  };
}
