import type { ClientSession } from '@parley/client';
import { createConnection } from '@parley/jsonrpc';
import type { SessionUpdate } from '@parley/protocol';
import type { FakeEvent, FakeModelServer, Reply } from '@parley/testing/fake-model-server';
import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createCodingAgent } from '../src/index.ts';
import { makeProject, startInProcess, startModel } from './in-process.ts';

const LINES = `${'a line of some length\n'.repeat(1000)}the end`;
const look = (line: number): FakeEvent => ({ type: 'tool_call', name: 'read_file', input: { path: 'a.txt', line } });
/** So many steps that the last ones are few of them. */
const looks = (from: number): readonly Reply[] =>
  Array.from({ length: 12 }, (_, index) => ({ events: [look(from + index)] }));
const plan: FakeEvent = {
  type: 'tool_call',
  name: 'update_plan',
  input: { entries: [{ content: 'Find the wolf', status: 'in_progress', priority: 'high' }] },
};
const summary = (text: string): Reply => ({
  events: [{ type: 'text', text }],
  when: { contains: 'Summarize the conversation' },
});
const tooLong: Reply = { error: 'context_too_long' };

interface Scene {
  readonly session: ClientSession;
  readonly server: FakeModelServer;
  /** The session as another process would open it. */
  reload(): Promise<ClientSession>;
}

async function open(script: readonly Reply[], more: Record<string, string> = {}): Promise<Scene> {
  const { path } = await makeProject({ 'a.txt': LINES });
  const { env, server } = await startModel({ script });
  const connection = await startInProcess({ agent: { env: { ...env, ...more } } });
  const session = await connection.newSession({ cwd: path });
  return {
    session,
    server,
    async reload() {
      await session.close();
      return connection.loadSession(session.id, { cwd: path });
    },
  };
}

interface WireMessage {
  readonly role: string;
  readonly content: string;
}

function messagesIn({ server }: Pick<Scene, 'server'>, request = server.requests.length - 1): readonly WireMessage[] {
  const { messages = [] } = (server.requests[request]?.body ?? {}) as { messages?: readonly WireMessage[] };
  return messages.filter(({ role }) => role !== 'system');
}

describe('a conversation that is shortened in the middle of a turn', () => {
  it("keeps the person's words, the plan and the last steps, says that it goes on, and is the same when loaded", async () => {
    const scene = await open([
      'A wolf it is.',
      { events: [plan] },
      ...looks(1),
      tooLong,
      summary('They look for a wolf.'),
      'Found.',
    ]);
    await scene.session.prompt('Always call it a wolf, never a dog.').result;
    expect((await scene.session.prompt('Find it.').result).text).toBe('Found.');
    const [opening, ...rest] = messagesIn(scene);
    expect(opening).toMatchObject({ role: 'user' });
    expect(opening?.content).toContain('They look for a wolf.');
    expect(opening?.content).toContain('The person wrote: Always call it a wolf, never a dog.');
    expect(opening?.content).toContain('The person wrote: Find it.');
    expect(opening?.content).toContain('The plan as it stands:\n- Find the wolf (in_progress)');
    expect(rest[0]?.role).toBe('assistant');
    expect(rest.length).toBeGreaterThan(3);
    expect(rest.at(-1)?.role).toBe('tool');
    expect(rest.at(-1)?.content).toMatch(/12 {2}a line[\s\S]*Go on with the task from here\./);
    expect(JSON.stringify(messagesIn(scene)).length).toBeLessThan(40_000);
    scene.server.add('Living.', 'Loaded.');
    await scene.session.prompt('and now?').result;
    const living = messagesIn(scene);
    await (await scene.reload()).prompt('and later?').result;
    expect(messagesIn(scene).slice(0, living.length)).toEqual(living);
  });

  it('keeps what the person wrote through a second time', async () => {
    const scene = await open([
      ...looks(1),
      tooLong,
      summary('First summary.'),
      ...looks(100),
      tooLong,
      summary('Second summary.'),
      'Done.',
    ]);
    await scene.session.prompt('Never touch b.txt.').result;
    const [opening] = messagesIn(scene);
    expect(opening?.content).toContain('Second summary.');
    expect(opening?.content).not.toContain('First summary.');
    expect(opening?.content).toContain('The person wrote: Never touch b.txt.');
  });

  it('is shortened by what the provider has counted, in the next turn too', async () => {
    const { path } = await makeProject();
    const { server } = await startModel({
      script: [
        {
          events: [
            { type: 'huge', chars: 100_000 },
            { type: 'usage', input: 160_000, output: 10_000 },
          ],
        },
        summary('Much was said.'),
        'Yes.',
      ],
    });
    const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.url, PARLEY_MODEL: 'anthropic/claude-haiku-4-5' };
    const connection = await startInProcess({ agent: { env } });
    const session = await connection.newSession({ cwd: path });
    await session.prompt('tell me everything').result;
    expect((await session.prompt('is that all?').result).text).toBe('Yes.');
    expect(server.requests).toHaveLength(3);
    expect(JSON.stringify(server.requests[2]?.body)).toContain('Much was said.');
  });

  it('is told to a client that has no word for it', async () => {
    const { path } = await makeProject();
    const { env, server } = await startModel({
      script: [`Once ${'upon '.repeat(500)}`, tooLong, summary('A tale.'), 'Well.', 'x'.repeat(5000), tooLong, tooLong],
    });
    const [near, far] = createMemoryPair();
    const served = createCodingAgent({ env, discover: { localServers: [] } }).serve(far);
    const connection = createConnection(near);
    onTestFinished(async () => {
      await connection.close();
      await served;
    });
    let said = '';
    connection.onNotification('session/update', (params) => {
      const { update } = params as { update: SessionUpdate };
      if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text') said += update.content.text;
    });
    await connection.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await connection.request<{ sessionId: string }>('session/new', { cwd: path, mcpServers: [] });
    for (const text of ['tell me a tale', 'and then?'])
      await connection.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
    expect(said).toContain('> **The conversation is shortened to a summary, to make room**\n\nWell.');
    expect(JSON.stringify(server.requests.at(-1)?.body)).not.toContain('to make room');
  });
});

describe('a conversation that is shortened between turns', () => {
  it('keeps the last answer and the words before it, and is not told to go on', async () => {
    const scene = await open([
      ...looks(1),
      `It has ${'many '.repeat(500)} lines.`,
      summary('They read a file.'),
      'Yes.',
    ]);
    await scene.session.prompt('read a.txt').result;
    expect((await scene.session.prompt('/compact').result).text).toMatch(/^Shortened from about/);
    await scene.session.prompt('sure?').result;
    const messages = messagesIn(scene);
    expect(messages.at(-2)?.content).toContain('It has many');
    expect(messages[0]?.content).toContain('The person wrote: read a.txt');
    expect(JSON.stringify(messages)).not.toContain('Go on with the task');
    scene.server.add('Loaded.');
    await (await scene.reload()).prompt('really?').result;
    expect(messagesIn(scene).slice(0, messages.length)).toEqual(messages);
  });
});
