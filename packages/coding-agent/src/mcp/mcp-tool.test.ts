import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { readArguments } from './mcp-prompts.ts';
import type { ConnectedServer } from './mcp-server.ts';
import { createMcpTool, mcpToolName } from './mcp-tool.ts';

const tool = { name: 'get', description: undefined, inputSchema: { properties: {} }, isReadOnly: true };

/** A server whose one tool answers with this. */
function answering(result: object): ConnectedServer {
  const client = { callTool: async () => result } as unknown as Client;
  return {
    name: 'my server',
    tools: [tool],
    prompts: [],
    hasResources: false,
    use: (work) => work(client),
    close: async () => {},
  };
}

const run = (result: object) =>
  createMcpTool(answering(result), tool).run({
    args: {},
    signal: new AbortController().signal,
  } as Parameters<ReturnType<typeof createMcpTool>['run']>[0]);

describe('a tool of an MCP server', () => {
  it('has a name that rules and providers take', () => {
    expect(mcpToolName('files', 'read')).toBe('mcp__files__read');
    expect(mcpToolName('my server', 'get/it.now')).toBe('mcp__my_server__get_it_now');
    const long = mcpToolName('s'.repeat(60), 'one');
    expect(long).toMatch(/^[\w-]{64}$/);
    expect(long).not.toBe(mcpToolName('s'.repeat(60), 'two'));
  });

  it('is described as its server describes it, and never taken for harmless', () => {
    const made = createMcpTool(answering({}), tool);
    expect(made).toMatchObject({ kind: 'other', level: 2, inputSchema: { type: 'object', properties: {} } });
    expect(made.description).toContain('get of the MCP server my server');
    expect(made.describe({}, { cwd: '/' }).title).toBe('my server: get');
    expect(createMcpTool(answering({}), { ...tool, isReadOnly: false }).level).toBe(3);
  });

  it('passes on text, images and resources, and nothing it does not know', async () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' };
    const content = [{ type: 'text', text: 'one' }, image, { type: 'text', text: 'two' }, { type: 'hologram' }, null];
    expect(await run({ content })).toEqual({ text: 'one\ntwo', isError: false, content: [image] });
    expect((await run({ content: [image] })).text).toBe('See the attached content.');
    expect((await run({})).text).toBe('Done, with no output.');
    expect(await run({ structuredContent: { a: 1 } })).toMatchObject({ text: '{"a":1}', rawOutput: { a: 1 } });
    expect(await run({ content: [{ type: 'text', text: 'bad' }], isError: true })).toMatchObject({ isError: true });
  });
});

describe('the arguments of a prompt', () => {
  it.each([
    ['', {}],
    ['one', { a: 'one' }],
    ['one two three', { a: 'one', b: 'two three' }],
    ['"one two" three', { a: 'one two', b: 'three' }],
    ['one "two three"', { a: 'one', b: 'two three' }],
  ])('are read from %j', (input, expected) => {
    expect(readArguments(input, ['a', 'b'])).toEqual(expected);
  });
});
