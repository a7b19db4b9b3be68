import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ConnectOptions, connect } from '@parley/client';
import { spawnAgent } from '@parley/client/node';
import { startFakeModelServer } from '@parley/testing/fake-model-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useParley } from '../support/parley.ts';

const parley = useParley();

/** `parley agent` with a client of ours, as an editor would have it. */
async function open(
  args: readonly string[] = [],
  { env = {}, ...options }: ConnectOptions & { readonly env?: Readonly<Record<string, string>> } = {},
) {
  const source = spawnAgent(process.execPath, [parley.program, 'agent', '--no-store', ...args], {
    cwd: parley.folder,
    env: { ...parley.env, ...env },
    isEnvWhole: true,
    recordsDir: false,
  });
  const connection = await connect(source, options);
  onTestFinished(() => connection.close());
  return connection.newSession({ cwd: parley.folder });
}

const set = (name: string, value: unknown) => parley.run(['config', 'set', name, JSON.stringify(value)]);
const unset = (name: string) => parley.run(['config', 'unset', name]);

describe('parley agent', () => {
  it('heeds the permission mode of the settings, and another one that it is started with', async () => {
    await set('permissions.mode', 'bypassPermissions');
    onTestFinished(async () => void (await unset('permissions.mode')));
    const permissions = { ask: () => 'reject' as const };
    const modeOf = async (...args: string[]) =>
      (await open(args, { permissions })).transcript.options.find(({ id }) => id === 'permissions')?.currentValue;
    expect(await modeOf()).toBe('bypassPermissions');
    expect(await modeOf('--permission-mode', 'acceptEdits')).toBe('acceptEdits');
    const free = await open([], { permissions });
    expect((await free.prompt('run `echo done`').result).text).toContain('done');
    const { code, stderr } = await parley.run(['agent', '--permission-mode', 'nonsense']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('no permission mode "nonsense"') });
  });

  it('is held to what a person says on the command line, whatever mode the settings have', async () => {
    await set('permissions.mode', 'bypassPermissions');
    onTestFinished(async () => void (await unset('permissions.mode')));
    const { code } = await parley.run(['exec', '--deny-all', 'run `touch denied`']);
    expect(code).toBe(5);
    expect((await parley.run(['exec', 'run `echo done`'])).stdout).toContain('done');
  });

  it('begins with the model of the settings, and tells it the initial message in new sessions', async () => {
    const server = await startFakeModelServer({ script: ['Arr.', 'Arr.'] });
    onTestFinished(() => server.close());
    const env = { PARLEY_BASE_URL: `${server.url}/v1`, PARLEY_MODEL: 'fake-model' };
    await set('model', 'offline');
    onTestFinished(async () => void (await unset('model')));
    const modelOf = (session: Awaited<ReturnType<typeof open>>) =>
      session.transcript.options.find(({ id }) => id === 'model')?.currentValue;
    expect(modelOf(await open([], { env }))).toBe('offline');
    await unset('model');
    const session = await open(['--initial-message', 'Speak like a pirate.'], { env });
    expect(modelOf(session)).not.toBe('offline');
    await session.prompt('hello').result;
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('Speak like a pirate.');
    await set('model', 'offline');
  });

  it('starts the MCP servers of the settings and of its flags for every session', async () => {
    const script = join(parley.folder, 'mcp-server.mjs');
    writeFileSync(script, MCP_SERVER);
    await set('mcpServers', { settled: { command: process.execPath, args: [script] } });
    onTestFinished(async () => void (await unset('mcpServers')));
    const more = JSON.stringify({ name: 'flagged', command: process.execPath, args: [script] });
    const session = await open(['--mcp-server', more], { permissions: { ask: () => 'allow' } });
    for (const name of ['settled', 'flagged']) {
      const { text } = await session.prompt(`call mcp__${name}__greet with {}`).result;
      expect(text).toContain('Hello from the server');
    }
  });

  it.each([
    ['a length that no message has', 'Content-Length: 99999999999\r\n\r\n', 'Content-Length: ', '99999999999 bytes'],
    ['a line without an end', 'x'.repeat(33 * 1024 * 1024), '{', 'more than 33554432 bytes without a line end'],
  ])('answers %s at once', async (_, input, begins, because) => {
    const child = spawn(process.execPath, [parley.program, 'agent', '--no-store'], { env: parley.env });
    onTestFinished(() => void child.kill('SIGKILL'));
    child.stdin.on('error', () => {});
    // Its input stays open: nothing but the size can tell.
    child.stdin.write(input);
    let output = '';
    for await (const chunk of child.stdout) {
      output += chunk;
      if (output.includes('}}')) break;
    }
    expect(output.startsWith(begins)).toBe(true);
    expect(JSON.parse(output.slice(output.indexOf('{')))).toMatchObject({
      id: null,
      error: { code: -32600, message: expect.stringContaining(because) },
    });
  });
});

/** A server of one tool, by hand: nothing needs to be installed for it. */
const MCP_SERVER = `
import { createInterface } from 'node:readline';
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'greeter', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'greet', description: 'Greets', inputSchema: { type: 'object' } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'Hello from the server' }] }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = answers[method]?.(params ?? {});
  const answer = result ? { result } : { error: { code: -32601, message: method } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
}
`;
