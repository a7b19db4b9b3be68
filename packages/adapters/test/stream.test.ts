import { describe, expect, it } from 'vitest';
import { Scene, sharedStore } from './scene.ts';

const ANSWERS = `
  note({ words, cwd: process.cwd() });
  say({ type: 'start', session: 'own-1' });
  say({ type: 'thought', text: 'Hm.' });
  say({ type: 'text', text: 'You said: ' + after('-p') });
  say({ type: 'result', text: 'You said: ' + after('-p') });
`;
const RESUME = { flag: '--resume', sessionIdPath: '$.session' };

describe('a command line with a process for each turn', () => {
  it('is an agent: it thinks, speaks and ends its turn, and nothing is said twice', async () => {
    using scene = new Scene(ANSWERS);
    await using client = await scene.connect();
    const sessionId = await client.newSession();
    expect(await client.prompt(sessionId, 'hello')).toMatchObject({ stopReason: 'end_turn' });
    expect(client.texts('agent_thought_chunk')).toEqual(['Hm.']);
    expect(client.texts()).toEqual(['You said: hello']);
    expect(client.initialized).toMatchObject({ protocolVersion: 1, agentInfo: { name: 'sample' } });
  });

  it('gets its words in the order that the format prescribes, and works in the directory of the session', async () => {
    using scene = new Scene(ANSWERS);
    await using client = await scene.connect({
      output: { flag: '--format', value: 'lines' },
      autoApprove: ['--yes'],
      cwdFlag: '--dir',
      resume: RESUME,
      models: { flag: '--model', values: ['default', 'large'] },
    });
    const sessionId = await client.newSession();
    await client.prompt(sessionId, 'one');
    await client.connection.request('session/set_config_option', { sessionId, configId: 'model', value: 'large' });
    await client.prompt(sessionId, 'two');
    const dir = scene.folder;
    expect(scene.notes()).toEqual([
      { words: ['--format', 'lines', '--yes', '--dir', dir, '-p', 'one'], cwd: dir },
      {
        words: ['--format', 'lines', '--yes', '--model', 'large', '--dir', dir, '--resume', 'own-1', '-p', 'two'],
        cwd: dir,
      },
    ]);
  });

  it('tells what each turn has cost, also where the command counts from the beginning of its session', async () => {
    using scene = new Scene(`
      const turn = words.includes('--resume') ? 2 : 1;
      say({ type: 'start', session: 'own-1' });
      say({ type: 'usage', in: 100 * turn, out: 7 * turn });
      say({ type: 'result', text: 'done' });
    `);
    await using client = await scene.connect({
      resume: RESUME,
      outputEvents: [
        {
          match: { path: '$.type', value: 'usage' },
          emitAs: 'usage',
          extract: { inputTokens: '$.in', outputTokens: '$.out', since: "'session'" },
        },
      ],
    });
    const sessionId = await client.newSession();
    const cost = { usage: { inputTokens: 100, outputTokens: 7, totalTokens: 107 } };
    expect(await client.prompt(sessionId, 'one')).toMatchObject(cost);
    expect(await client.prompt(sessionId, 'two')).toMatchObject(cost);
  });

  it('is resumed by an agent that was started later and loads the session, which replays it', async () => {
    using scene = new Scene(ANSWERS);
    const store = await sharedStore();
    let sessionId: string;
    {
      await using client = await scene.connect({ resume: RESUME }, { store });
      sessionId = await client.newSession();
      await client.prompt(sessionId, 'one');
    }
    await using client = await scene.connect({ resume: RESUME }, { store });
    await client.loadSession(sessionId);
    expect(client.texts()).toEqual(['You said: one']);
    await client.prompt(sessionId, 'two');
    expect(scene.notes()[1]).toMatchObject({ words: ['--resume', 'own-1', '-p', 'two'] });
  });

  it('gives a new session an id of our making where the command takes one', async () => {
    using scene = new Scene(ANSWERS);
    await using client = await scene.connect({ resume: { flag: '--resume', newIdFlag: '--id' } });
    const sessionId = await client.newSession();
    await client.prompt(sessionId, 'one');
    await client.prompt(sessionId, 'two');
    const [first, second] = scene.notes<{ words: string[] }>();
    expect(first?.words[0]).toBe('--id');
    expect(second?.words).toEqual(['--resume', first?.words[1], '-p', 'two']);
  });

  it('is told what was said before when it cannot resume', async () => {
    using scene = new Scene(ANSWERS);
    await using client = await scene.connect();
    const sessionId = await client.newSession();
    await client.prompt(sessionId, 'one');
    await client.prompt(sessionId, 'two');
    expect(scene.notes()[1]).toMatchObject({
      words: ['-p', 'User: one\nAssistant: You said: one\n\nUser: two'],
    });
  });

  it('passes modes as arguments, and approves only in those that say so', async () => {
    using scene = new Scene(ANSWERS);
    await using client = await scene.connect({
      autoApprove: ['--yes'],
      modes: [
        { id: 'ask', name: 'Ask' },
        { id: 'plan', args: ['--plan'] },
        { id: 'go', args: ['--fast'], autoApprove: true },
      ],
      resume: RESUME,
    });
    const sessionId = await client.newSession();
    for (const modeId of ['ask', 'plan', 'go']) {
      await client.connection.request('session/set_mode', { sessionId, modeId });
      await client.prompt(sessionId, modeId);
    }
    expect(
      scene.notes<{ words: string[] }>().map(({ words }) => words.filter((word) => word.startsWith('--'))),
    ).toEqual([[], ['--plan', '--resume'], ['--yes', '--fast', '--resume']]);
  });

  it('translates why a turn ended', async () => {
    using scene = new Scene(
      `say({ type: 'text', text: 'x' }); say({ type: 'result', is_error: true, reason: after('-p') });`,
    );
    await using client = await scene.connect({ stopReasons: { error_max_turns: 'max_turn_requests' } });
    const sessionId = await client.newSession();
    expect(await client.prompt(sessionId, 'error_max_turns')).toMatchObject({ stopReason: 'max_turn_requests' });
    expect(await client.prompt(await client.newSession(), 'refusal')).toMatchObject({ stopReason: 'refusal' });
  });

  it('gets the environment with what the description adds and takes away', async () => {
    using scene = new Scene(`note({ A: process.env.A, B: process.env.B }); say({ type: 'result', text: 'done' });`);
    await using client = await scene.connect({ env: { A: 'ours', B: null } }, { env: { ...process.env, B: 'theirs' } });
    await client.prompt(await client.newSession(), 'go');
    expect(scene.notes()).toEqual([{ A: 'ours' }]);
  });

  it('gets the MCP servers of the client where it takes them, and else the person is told', async () => {
    const mcpServers = [
      { name: 'a', command: 'serve', args: ['x'], env: [{ name: 'K', value: 'v' }] },
      { type: 'http', name: 'b', url: 'http://localhost/mcp', headers: [] },
    ];
    using scene = new Scene(ANSWERS);
    await using client = await scene.connect({ mcp: { flag: '--mcp' } });
    await client.prompt(await client.newSession({ mcpServers }), 'go');
    const [{ words } = { words: [] }] = scene.notes<{ words: string[] }>();
    expect(JSON.parse(words[words.indexOf('--mcp') + 1] ?? '')).toEqual({
      mcpServers: {
        a: { command: 'serve', args: ['x'], env: { K: 'v' } },
        b: { type: 'http', url: 'http://localhost/mcp', headers: {} },
      },
    });
    await using other = await scene.connect();
    await other.prompt(await other.newSession({ mcpServers: mcpServers.slice(0, 1) }), 'go');
    expect(JSON.stringify(other.updates)).toContain('MCP servers are not passed on to sample: a');
  });
});
