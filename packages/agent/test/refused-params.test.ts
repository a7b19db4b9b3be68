import { IMAGE_MIME_TYPES } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import type { AgentOptions } from '../src/index.ts';
import { connectRawClient, errorOf, testAgent } from './raw-client.ts';

async function open(options: Partial<AgentOptions> = {}) {
  const { built } = testAgent(options);
  built.accepts('image', 'audio').acceptsMcp('http');
  const client = connectRawClient(built.onPrompt(async () => {}));
  await client.initialize();
  return client;
}

const STDIO = { name: 'files', command: 'mcp-files', args: [], env: [] };

describe('what a client may not ask for', () => {
  it('is a prompt without content', async () => {
    await using client = await open();
    const { sessionId } = await client.newSession();
    const refused = await errorOf(client.request('session/prompt', { sessionId, prompt: [] }));
    expect(refused.code).toBe(-32602);
    expect(refused.message).toContain('prompt: expected at least one content block');
  });

  it.each([
    ['without a name', { ...STDIO, name: '' }, 'mcpServers[0].name'],
    ['without a command', { ...STDIO, command: '' }, 'mcpServers[0].command'],
    ['of an unknown type', { ...STDIO, type: 'grpc' }, 'mcpServers[0].type: expected stdio, http or sse, got "grpc"'],
    ['without an address', { type: 'http', name: 'web', url: '', headers: [] }, 'mcpServers[0].url'],
  ])('is an MCP server %s', async (_, server, path) => {
    await using client = await open();
    const refused = await errorOf(client.newSession({ mcpServers: [server] }));
    expect(refused.code).toBe(-32602);
    expect(refused.message).toContain(path);
    expect(await client.newSession({ mcpServers: [STDIO, { ...STDIO, type: 'stdio' }] })).toHaveProperty('sessionId');
  });

  it('is no image of whatever kind, unless the agent names those it takes', async () => {
    const image = { type: 'image', data: 'AA==', mimeType: 'image/heic' };
    await using any = await open();
    const { sessionId } = await any.newSession();
    expect(await any.request('session/prompt', { sessionId, prompt: [image] })).toEqual({ stopReason: 'end_turn' });
    await using some = await open({ imageMimeTypes: IMAGE_MIME_TYPES });
    const chosen = await some.newSession();
    const refused = await errorOf(some.request('session/prompt', { sessionId: chosen.sessionId, prompt: [image] }));
    expect(refused).toMatchObject({ code: -32602, message: expect.stringContaining('prompt[0].mimeType') });
  });

  it('is a session in a directory that the agent finds to be none, in whatever way it is opened', async () => {
    const isThere = (path: string) => (path === '/there' ? undefined : 'there is no such directory');
    await using client = await open({ unstable: true, checkDirectory: async (path) => isThere(path) });
    const { sessionId } = await client.newSession({ cwd: '/there' });
    for (const method of ['session/new', 'session/load', 'session/resume', 'session/fork']) {
      const refused = await errorOf(client.request(method, { sessionId, cwd: '/gone', mcpServers: [] }));
      expect(refused, method).toMatchObject({ code: -32602, message: expect.stringContaining('/gone') });
    }
    expect(await client.request('session/list', { cwd: '/gone' })).toEqual({ sessions: [] });
  });

  it.each([1, 2])(
    'is the end of a turn that is named by no text; in version %s it is ignored, and told to the author in a line',
    async (version) => {
      const { built, diagnostics } = testAgent();
      await using client = connectRawClient(built.onPrompt(async () => {}));
      await client.request('initialize', {
        protocolVersion: version,
        ...(version === 1 ? { clientCapabilities: {} } : { capabilities: {}, info: { name: 'test', version: '1' } }),
      });
      const { sessionId } = await client.newSession();
      client.notify('session/cancel', { sessionId: 7 });
      await client.request('session/list', {});
      expect(diagnostics).toMatchObject([
        { kind: 'invalid_message', method: 'session/cancel', message: expect.stringContaining('sessionId') },
      ]);
      expect(diagnostics[0]).not.toHaveProperty('error');
      expect(sessionId).toBeTypeOf('string');
    },
  );
});
