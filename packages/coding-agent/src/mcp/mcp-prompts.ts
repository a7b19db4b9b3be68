import type { ContentBlock } from '@parley/protocol';
import type { PromptCommand } from '../prompt/prompt-command.ts';
import { isContentBlock } from './mcp-content.ts';
import type { McpPrompt } from './mcp-lists.ts';
import type { ConnectedServer } from './mcp-server.ts';

const PATIENCE_MS = 60_000;

/** The prompts of MCP servers as slash commands: `/server:prompt arguments`. */
export function createPromptCommands(servers: readonly ConnectedServer[]): readonly PromptCommand[] {
  return servers.flatMap((server) => server.prompts.map((prompt) => createCommand(server, prompt)));
}

function createCommand(server: ConnectedServer, prompt: McpPrompt): PromptCommand {
  const { name, description, arguments: names } = prompt;
  return {
    name: `${server.name}:${name}`.replace(/\s+/g, '_'),
    description: description ?? `The prompt ${name} of the MCP server ${server.name}`,
    ...(names.length > 0 && { hint: names.join(' ') }),
    async fetch(input, signal) {
      const params = { name, arguments: readArguments(input, names) };
      const options = { signal, timeout: PATIENCE_MS };
      const { messages } = await server.use((client) => client.getPrompt(params, options), signal);
      return messages.flatMap(({ content }): readonly ContentBlock[] => (isContentBlock(content) ? [content] : []));
    },
  };
}

/** One word for each argument, or several in quotes; the last takes all that is left. */
export function readArguments(input: string, names: readonly string[]): Record<string, string> {
  const given: Record<string, string> = {};
  let rest = input.trim();
  names.forEach((name, index) => {
    if (rest === '') return;
    const isLast = index === names.length - 1;
    const [whole, quoted, word] = /^(?:"([^"]*)"|(\S+))/.exec(rest) ?? [rest];
    given[name] = isLast && !(quoted !== undefined && whole === rest) ? rest : (quoted ?? word ?? rest);
    rest = isLast ? '' : rest.slice(whole.length).trim();
  });
  return given;
}
