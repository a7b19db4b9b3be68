import { createHash } from 'node:crypto';
import type { ContentBlock } from '@parley/protocol';
import { MAX_OUTPUT_CHARACTERS, shortenOutput } from '../text.ts';
import { failureFrom } from '../tools/outcome.ts';
import type { Tool, ToolOutcome } from '../tools/tool.ts';
import { isContentBlock } from './mcp-content.ts';
import type { McpTool } from './mcp-lists.ts';
import type { ConnectedServer } from './mcp-server.ts';
import { toolSchemaOf } from './tool-schema.ts';

/** Providers take no longer names, and no other characters. */
export const MAX_NAME_CHARACTERS = 64;
const CALL_TIMEOUT_MS = 10 * 60_000;

type Args = Readonly<Record<string, unknown>>;

/** A tool of an MCP server as a tool of ours, under the name that permission rules know: `mcp__server__tool`. */
export function createMcpTool(server: ConnectedServer, tool: McpTool): Tool<Args> {
  const { schema, restore } = toolSchemaOf(tool.inputSchema);
  return {
    name: mcpToolName(server.name, tool.name),
    kind: 'other',
    level: tool.isReadOnly ? 2 : 3,
    description: tool.description ?? `The tool ${tool.name} of the MCP server ${server.name}.`,
    inputSchema: schema,
    parse: (input) => input,
    describe: () => ({ title: `${server.name}: ${tool.name}` }),
    async run({ args, signal }) {
      try {
        const options = { signal, timeout: CALL_TIMEOUT_MS, resetTimeoutOnProgress: true };
        const result = await server.use(
          (client) => client.callTool({ name: tool.name, arguments: restore(args) }, options),
          signal,
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

function clean(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_');
}

interface CallResult {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
}

/** Images and resources pass through; text is what the model reads first. Whoever runs the tool bounds it. */
function toOutcome({ content, structuredContent, isError }: CallResult): ToolOutcome {
  const blocks = (Array.isArray(content) ? content : []).filter(isContentBlock);
  const text = blocks.map((block) => (block.type === 'text' ? block.text : '')).filter((each) => each !== '');
  const others = blocks.filter((block) => block.type !== 'text').map(bounded);
  const structured = text.length === 0 && structuredContent !== undefined ? [JSON.stringify(structuredContent)] : [];
  const said = [...text, ...structured].join('\n');
  return {
    text: said === '' ? (others.length > 0 ? 'See the attached content.' : 'Done, with no output.') : said,
    isError: isError === true,
    ...(others.length > 0 && { content: others }),
    ...(isSmall(structuredContent) && { rawOutput: structuredContent }),
  };
}

function isSmall(value: unknown): boolean {
  return value !== undefined && JSON.stringify(value).length <= MAX_OUTPUT_CHARACTERS;
}

function bounded(block: ContentBlock): ContentBlock {
  if (block.type !== 'resource' || !('text' in block.resource)) return block;
  return { ...block, resource: { ...block.resource, text: shortenOutput(block.resource.text) } };
}
