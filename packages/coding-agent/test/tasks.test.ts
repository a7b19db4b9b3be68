import type { AgentConnection, ClientSession, PermissionQuestion } from '@parley/client';
import { memoryStore } from '@parley/store/memory';
import type { FakeModelServer, Reply } from '@parley/testing/fake-model-server';
import { describe, expect, it } from 'vitest';
import type { CodingAgentOptions } from '../src/index.ts';
import { makeProject, startInProcess, startModel } from './in-process.ts';

interface Scene {
  readonly connection: AgentConnection;
  readonly session: ClientSession;
  readonly server: FakeModelServer;
  readonly project: Awaited<ReturnType<typeof makeProject>>;
  readonly asked: PermissionQuestion[];
}

async function open(script: readonly Reply[], options: CodingAgentOptions = {}, protocol: 1 | 2 = 1): Promise<Scene> {
  const { server, env } = await startModel({ script });
  const project = await makeProject({ 'a.ts': 'export const port = 80;\n', 'b.ts': 'export {};\n' });
  const asked: PermissionQuestion[] = [];
  const connection = await startInProcess({
    protocol,
    agent: { env, ...options },
    permissions: {
      ask: (question) => {
        asked.push(question);
        return 'allow';
      },
    },
  });
  return { connection, server, project, asked, session: await connection.newSession({ cwd: project.path }) };
}

const call = (name: string, input: object, id?: string) =>
  ({ type: 'tool_call', name, input, ...(id !== undefined && { id }) }) as const;
const tasks = (...prompts: string[]): Reply => ({
  when: { contains: 'go' },
  events: prompts.map((prompt, index) =>
    call('task', { kind: prompt.startsWith('change') ? 'general' : 'explore', title: `job ${index}`, prompt }),
  ),
});
const inTask = (prompt: string, reply: object): Reply => ({ when: { contains: prompt }, ...reply }) as Reply;
const says = (text: string) => ({ events: [{ type: 'text', text }] }) as const;

interface ChatBody {
  readonly messages: { readonly role: string; readonly content: string }[];
  readonly tools?: { readonly function: { readonly name: string } }[];
}
const bodies = ({ server }: Scene): readonly ChatBody[] => server.requests.map(({ body }) => body as never);
const toolNames = ({ tools = [] }: ChatBody): readonly string[] => tools.map((tool) => tool.function.name);

describe('a task', () => {
  it('is done by a sub-agent with a conversation and read-only tools of its own, shown below the call', async () => {
    const scene = await open([
      tasks('where is the port?'),
      inTask('where', { events: [call('read_file', { path: 'a.ts' }), { type: 'usage', input: 1000, output: 10 }] }),
      inTask('where', {
        events: [
          { type: 'text', text: 'a.ts:1 has it.' },
          { type: 'usage', input: 2000, output: 10 },
        ],
      }),
      says('It is 80.'),
    ]);
    const { text, toolCalls, usage } = await scene.session.prompt('go').result;
    expect(text).toBe('It is 80.');
    const [parent, own] = bodies(scene);
    expect(toolNames(parent as ChatBody)).toContain('task');
    expect(toolNames(own as ChatBody)).toEqual(['read_file', 'list_files', 'search_files']);
    expect(own?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(JSON.stringify(own)).not.toContain('"go');
    expect(bodies(scene)[3]?.messages.at(-1)?.content).toMatch(
      /^a\.ts:1 has it\.\n\n\[explore ended after 2 requests and 1 tool calls\.\]/,
    );
    const [shown, nested] = toolCalls;
    expect(shown).toMatchObject({ title: 'explore: job 0', kind: 'think', status: 'completed' });
    expect(nested).toMatchObject({
      title: 'explore: Read a.ts',
      status: 'completed',
      parentToolCallId: shown?.toolCallId,
    });
    expect(scene.asked).toEqual([]);
    expect(usage?.inputTokens).toBeGreaterThan(3000);
  });

  it('asks in the session of its parent under its own name, and its changes can be undone there', async () => {
    const scene = await open([
      tasks('change the port'),
      inTask('change', {
        events: [
          call('edit_file', { path: 'a.ts', old_text: '80', new_text: '8080' }),
          call('task', { kind: 'explore', prompt: 'x' }),
        ],
      }),
      inTask('change', says('Changed.')),
      says('Done.'),
    ]);
    await scene.session.prompt('go').result;
    expect(scene.asked.map(({ toolCall }) => toolCall.title)).toEqual(['general: Edit a.ts']);
    expect(await scene.project.read('a.ts')).toContain('8080');
    expect(toolNames(bodies(scene)[1] as ChatBody)).not.toContain('task');
    expect(JSON.stringify(bodies(scene)[2])).toContain('There is no tool \\"task\\"');
    await scene.session.prompt('/undo').result;
    expect(await scene.project.read('a.ts')).toContain('= 80;');
  });

  it('runs beside others, as many as may', async () => {
    const wait = { type: 'wait', ms: 100 } as const;
    const scene = await open(
      [
        tasks('one?', 'two?', 'three?'),
        ...['one', 'two', 'three'].map((name) =>
          inTask(name, { events: [wait, { type: 'text', text: `${name} done` }] }),
        ),
        says('All done.'),
      ],
      { tasks: { maxParallel: 2 } },
    );
    const done = scene.session.prompt('go').result;
    await scene.server.waitForRequest(2);
    expect(scene.server.requests).toHaveLength(3);
    expect(await Promise.race([scene.server.requests[1]?.ended, 'open'])).toBe('open');
    expect((await done).text).toBe('All done.');
    const results = bodies(scene)
      .at(-1)
      ?.messages.filter(({ role }) => role === 'tool');
    expect(results?.map(({ content }) => content.split('\n')[0])).toEqual(['one done', 'two done', 'three done']);
  });

  it('has the model that the settings name for it, and that of the session where it is not within reach', async () => {
    const { server } = await startModel({
      script: [tasks('where is the port?'), inTask('where', says('a.ts:1')), says('There.')],
    });
    const models = { big: {}, small: {} };
    const providers = { here: { baseUrl: `${server.url}/v1`, models } };
    const project = await makeProject();
    for (const [model, expected] of [
      ['small', ['big', 'small', 'big']],
      ['tiny', ['big', 'big', 'big']],
    ] as const) {
      const agent = { env: { PARLEY_MODEL: 'here/big' }, providers, tasks: { model } };
      const connection = await startInProcess({ agent });
      const session = await connection.newSession({ cwd: project.path });
      const first = server.requests.length;
      await session.prompt('go').result;
      expect(server.requests.slice(first).map(({ body }) => (body as { model?: string }).model)).toEqual(expected);
      server.add(tasks('where is the port?'), inTask('where', says('a.ts:1')), says('There.'));
    }
  });

  it('is tried again when its model fails, and says so once', async () => {
    const scene = await open(
      [
        tasks('where is the port?'),
        inTask('where', { events: [{ type: 'text', text: 'Half' }, { type: 'cut' }] }),
        inTask('where', { error: 'overloaded' }),
        inTask('where', { error: 'rate_limit', retryAfterSeconds: 0 }),
        inTask('where', says('a.ts:1')),
        says('There.'),
      ],
      { retry: { baseDelayMs: 1, maxDelayMs: 1 } },
    );
    let shown = '';
    scene.session.on('event', (event) => {
      if (event.type === 'tool_call') shown = JSON.stringify(event.content ?? shown);
    });
    expect((await scene.session.prompt('go').result).text).toBe('There.');
    expect(bodies(scene).at(-1)?.messages.at(-1)?.content).toMatch(/^a\.ts:1\n/);
    expect(shown).not.toMatch(/trying again[\s\S]*trying again/);
  });

  it('ends at its limit with what it has said, and with the turn when that is cancelled', async () => {
    const scene = await open(
      [
        tasks('look around'),
        inTask('look', { events: [{ type: 'text', text: 'First…' }, call('list_files', {})] }),
        inTask('look', { events: [call('read_file', { path: 'a.ts' })] }),
        says('Enough.'),
        inTask('stop', { events: [call('task', { kind: 'general', prompt: 'change slowly' })] }),
        inTask('slowly', { events: [call('run_command', { command: 'sleep 60' })] }),
      ],
      { tasks: { maxRequests: 2 }, permissions: { mode: 'bypassPermissions' } },
    );
    await scene.session.prompt('go').result;
    expect(bodies(scene)[3]?.messages.at(-1)?.content).toMatch(/First…\n\n\[explore was ended \(max_turn_requests\)/);
    const turn = scene.session.prompt('stop');
    await new Promise<void>((resolve) => {
      scene.session.on('event', (event) => {
        if (event.type === 'tool_call' && event.kind === 'execute') resolve();
      });
    });
    await turn.cancel();
    const { stopReason, toolCalls } = await turn.result;
    expect(stopReason).toBe('cancelled');
    expect(toolCalls.every(({ status }) => status === 'failed' || status === 'cancelled')).toBe(true);
  });

  it('is one call of the model after a load, whatever the sub-agent did, and its failure is a result', async () => {
    const store = memoryStore();
    const scene = await open(
      [
        tasks('where is the port?'),
        inTask('where', { events: [call('search_files', { pattern: 'port' })] }),
        inTask('where', { error: 'auth' }),
        says('I do not know.'),
        says('Still not.'),
      ],
      { store },
    );
    expect((await scene.session.prompt('go').result).text).toBe('I do not know.');
    expect(bodies(scene)[3]?.messages.at(-1)?.content).toContain('explore could not go on');
    await scene.session.close();
    const again = await scene.connection.loadSession(scene.session.id, { cwd: scene.project.path });
    await again.prompt('and now?').result;
    const [before, after] = [bodies(scene)[3]?.messages, bodies(scene)[4]?.messages];
    expect(after?.slice(0, before?.length)).toEqual(before);
  });
});
