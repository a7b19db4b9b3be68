import { tmpdir } from 'node:os';
import { getTerminal, type PermissionQuestion } from '@parley/session';
import type { BuiltProgram } from '@parley/testing/build-program';
import { buildSdkAgentOfBothVersions } from '@parley/testing/sdk-agent';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../src/connect/connect.ts';
import type { ConnectOptions } from '../../src/connect/connect-options.ts';
import { spawnAgent } from '../../src/node/spawn-agent.ts';
import { failureOf } from '../support/scripted.ts';

const cwd = tmpdir();

/** The official SDK's agent side of both versions, in a process of its own. */
let program: BuiltProgram;
beforeAll(async () => {
  program = await buildSdkAgentOfBothVersions();
});
afterAll(() => program.remove());

const open = (options: ConnectOptions = {}): ReturnType<typeof connect> =>
  connect(spawnAgent(process.execPath, [program.path], { recordsDir: false }), { protocol: 2, ...options });

describe('the official SDK as agent of both versions', () => {
  it.each([
    [1, 1],
    [2, 2],
    ['auto', 2],
  ] as const)('is spoken to in the version that is asked for: %s is %i', async (protocol, version) => {
    await using connection = await open({ protocol });
    expect(connection.protocolVersion).toBe(version);
    expect(connection.agentInfo).toMatchObject({ name: 'sdk-agent', version: `${version}.0.0` });
    const session = await connection.newSession({ cwd });
    expect(await session.prompt('hello').result).toMatchObject({ stopReason: 'end_turn' });
  });
});

describe('the official SDK as agent of version 2', () => {
  it('opens a session with modes, options and commands, and changes them', async () => {
    await using connection = await open();
    const session = await connection.newSession({ cwd });
    expect(session.transcript.mode).toEqual({
      currentModeId: 'ask',
      availableModes: [
        { id: 'ask', name: 'Ask' },
        { id: 'code', name: 'Code', description: 'Writes' },
      ],
    });
    expect(session.transcript.commands).toEqual([{ name: 'plan', description: 'Plans', input: { hint: 'what' } }]);
    await session.setMode('code');
    await session.setOption('fast', true);
    expect(session.transcript.mode?.currentModeId).toBe('code');
    expect(session.transcript.options).toMatchObject([
      { id: 'mode', currentValue: 'code' },
      { id: 'fast', currentValue: true },
    ]);
    await expect(session.setMode('nope')).rejects.toMatchObject({ code: 'unknown_choice' });
  });

  it('streams a turn with thoughts, a plan, a tool call, a terminal, usage and a stop reason', async () => {
    await using connection = await open();
    const session = await connection.newSession({ cwd });
    const turn = session.prompt('everything');
    const types = new Set<string>();
    for await (const event of turn) types.add(event.type);
    expect([...types].sort()).toEqual(
      [
        'state',
        'commands',
        'info',
        'plan',
        'text',
        'thought',
        'tool_call',
        'terminal',
        'terminal_output',
        'unknown',
        'usage',
      ].sort(),
    );
    expect(await turn.result).toMatchObject({
      stopReason: 'end_turn',
      text: 'Hello from the SDK',
      thoughts: 'thinking',
      toolCalls: [{ toolCallId: 'c1', title: 'Edit', status: 'completed', content: [{ type: 'changes' }] }],
      plan: [{ content: 'step', status: 'completed' }],
    });
    expect(getTerminal(session.transcript, 'sh')).toMatchObject({
      command: 'echo',
      output: 'grüß\n',
      exit: { exitCode: 0 },
    });
    expect(session.transcript.title).toBe('A title');
    expect(session.transcript.entries.toArray().filter(({ type }) => type === 'message')).toHaveLength(2);
  });

  it('asks permission and a question', async () => {
    const asked: PermissionQuestion[] = [];
    await using connection = await open({
      permissions: {
        ask: (question) => {
          asked.push(question);
          return { optionId: question.options[0]?.optionId ?? '' };
        },
      },
      elicitation: { form: () => ({ action: 'accept', content: { name: 'Ada' } }) },
    });
    const session = await connection.newSession({ cwd });
    const states = new Set<string>();
    session.on('change', ({ state }) => states.add(state));
    const { text, stopReason } = await session.prompt('ask').result;
    expect(stopReason).toBe('end_turn');
    expect(JSON.parse(text)).toEqual({
      permission: { outcome: 'selected', optionId: 'go' },
      form: { action: 'accept', content: { name: 'Ada' } },
    });
    expect(states).toContain('waiting');
    expect(asked).toMatchObject([
      {
        title: 'May the tests run?',
        description: 'They write to /tmp.',
        subject: { type: 'command', command: 'npm test', cwd: '/work' },
        toolCall: { kind: 'execute', rawInput: { command: 'npm test', cwd: '/work' } },
      },
    ]);
  });

  it('has its commands judged by rules', async () => {
    const decisions: string[] = [];
    await using connection = await open({
      permissions: {
        rules: ['deny Bash(npm *)'],
        ask: () => 'allow',
        onDecision: ({ by, outcome }) => decisions.push(`${by} ${outcome}`),
      },
      elicitation: { form: () => ({ action: 'decline' }) },
    });
    const session = await connection.newSession({ cwd });
    const { text } = await session.prompt('ask').result;
    expect(JSON.parse(text)).toMatchObject({ permission: { outcome: 'selected', optionId: 'no' } });
    expect(decisions).toEqual(['rule rejected']);
  });

  it('is cancelled, and goes on afterwards', async () => {
    await using connection = await open();
    const session = await connection.newSession({ cwd });
    const turn = session.prompt('wait');
    for await (const event of turn) if (event.type === 'text') break;
    await session.cancel();
    expect(await turn.result).toMatchObject({ stopReason: 'cancelled', isForced: false });
    expect((await session.prompt('hello').result).text).toBe('You said: hello');
    expect(await failureOf(session.prompt('fail').result)).toMatchObject({ code: -32050, message: 'no model answers' });
  });

  it('has one tool call cancelled while the turn goes on', async () => {
    await using connection = await open();
    const session = await connection.newSession({ cwd });
    await expect(session.cancelToolCall('w1')).rejects.toMatchObject({ code: 'unknown_choice' });
    const turn = session.prompt('work');
    for await (const event of turn) if (event.type === 'tool_call') break;
    await session.cancelToolCall('w1');
    expect(await turn.result).toMatchObject({
      stopReason: 'end_turn',
      text: 'went on',
      toolCalls: [{ toolCallId: 'w1', status: 'cancelled' }],
    });
    await expect(session.cancelToolCall('w1')).rejects.toMatchObject({ code: 'not_available' });
  });

  it('loads, resumes, lists, closes, deletes, logs in and out', async () => {
    await using connection = await open();
    const loaded = await connection.loadSession('stored', { cwd });
    expect(loaded.transcript.entries.toArray().map((entry) => 'text' in entry && entry.text)).toEqual([
      'old question',
      'old answer',
    ]);
    expect(loaded.state).toBe('idle');
    await loaded.close();
    const resumed = await connection.resumeSession('stored', { cwd });
    expect(resumed.transcript.entries.length).toBe(0);
    expect((await resumed.prompt('hello').result).text).toBe('You said: hello');
    const ids: string[] = [];
    for await (const { sessionId } of connection.listSessions()) ids.push(sessionId);
    expect(ids).toEqual(['page-1', 'page-2', 'page-3']);
    await connection.deleteSession('stored');
    await connection.deleteSession('gone');
    expect(await failureOf(connection.loadSession('unknown', { cwd }))).toMatchObject({ code: -32002 });
    expect(connection.authMethods).toEqual([{ id: 'key', name: 'Key' }]);
    await connection.authenticate('key');
    await connection.logout();
  });

  it('gets only content that it takes', async () => {
    await using connection = await open();
    const session = await connection.newSession({ cwd });
    const { text } = await session.prompt(['look: ', { type: 'image', data: 'AAAA', mimeType: 'image/png' }]).result;
    expect(text).toBe('You said: look: [image]');
    expect(() => session.prompt({ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' })).toThrow(
      /capabilities.session.prompt.audio/,
    );
    expect(() => session.prompt([])).toThrow(/at least one/);
  });
});
