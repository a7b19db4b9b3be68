import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getTerminal } from '@parley/session';
import type { BuiltProgram } from '@parley/testing/build-program';
import { buildSdkAgent } from '@parley/testing/sdk-agent';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../src/connect/connect.ts';
import type { ConnectOptions } from '../../src/connect/connect-options.ts';
import { spawnAgent } from '../../src/node/spawn-agent.ts';
import { failureOf } from '../support/scripted.ts';

/** The official SDK's agent side, in a process of its own. */
let program: BuiltProgram;
let cwd = '';
beforeAll(async () => {
  program = await buildSdkAgent();
  cwd = await realpath(await mkdtemp(join(tmpdir(), 'parley-sdk-')));
  await writeFile(join(cwd, 'in.txt'), 'from the file');
});
afterAll(async () => {
  await program.remove();
  await rm(cwd, { recursive: true, force: true });
});

const open = (options: ConnectOptions = {}): ReturnType<typeof connect> =>
  connect(spawnAgent(process.execPath, [program.path], { recordsDir: false }), options);

describe('the official SDK as agent', () => {
  it('is greeted, opens a session with modes and options, and tells its commands', async () => {
    await using connection = await open();
    expect(connection.agentInfo).toMatchObject({ name: 'sdk-agent' });
    expect(connection.protocolVersion).toBe(1);
    const session = await connection.newSession({ cwd });
    expect(session.transcript.mode).toMatchObject({ currentModeId: 'ask' });
    expect(session.transcript.options).toMatchObject([
      { id: 'model', currentValue: 'small' },
      { id: 'fast', currentValue: false },
    ]);
    await session.setMode('code');
    await session.setOption('model', 'large');
    await session.setOption('fast', true);
    expect(session.transcript.mode?.currentModeId).toBe('code');
    expect(session.transcript.options).toMatchObject([{ currentValue: 'large' }, { currentValue: true }]);
    await expect(session.setMode('nope')).rejects.toMatchObject({ code: 'unknown_choice' });
    await expect(session.setOption('model', 'huge')).rejects.toThrow(/small, large/);
    await expect(session.setOption('fast', 'yes')).rejects.toThrow(/true or false/);
  });

  it('streams a turn with thoughts, a plan, a tool call, usage and a stop reason', async () => {
    await using connection = await open();
    const session = await connection.newSession({ cwd });
    const turn = session.prompt('everything');
    const types = new Set<string>();
    for await (const event of turn) types.add(event.type);
    const result = await turn.result;
    expect([...types].sort()).toEqual(['commands', 'info', 'plan', 'text', 'thought', 'tool_call', 'usage'].sort());
    expect(result).toMatchObject({
      stopReason: 'end_turn',
      text: 'Hello from the SDK',
      thoughts: 'thinking',
      toolCalls: [{ toolCallId: 'c1', status: 'completed', content: [{ type: 'diff', path: '/x', newText: 'b' }] }],
      plan: [{ content: 'step', status: 'completed' }],
    });
    expect(session.transcript.title).toBe('A title');
    expect(session.transcript.usage).toEqual({ used: 5, size: 100 });
  });

  it('reads and writes files, runs a command, asks permission and a question', async () => {
    await using connection = await open({
      workspace: {},
      terminals: true,
      permissions: { ask: ({ options }) => ({ optionId: options[0]?.optionId ?? '' }) },
      elicitation: { form: () => ({ action: 'accept', content: { name: 'Ada' } }) },
    });
    const session = await connection.newSession({ cwd });
    const { text, stopReason } = await session.prompt('use the client').result;
    expect(stopReason).toBe('end_turn');
    expect(JSON.parse(text)).toEqual({
      read: 'from the file',
      permission: { outcome: 'selected', optionId: 'yes' },
      terminal: { output: 'hi\n', exitCode: 0 },
      answer: { action: 'accept', content: { name: 'Ada' } },
    });
    expect(await readFile(join(cwd, 'out.txt'), 'utf8')).toBe('written');
    expect(session.transcript.terminals.length).toBe(1);
    expect(getTerminal(session.transcript, session.transcript.terminals.at(0)?.terminalId ?? '')?.output).toBe('hi\n');
  });

  it('is cancelled, and goes on afterwards', async () => {
    await using connection = await open();
    const session = await connection.newSession({ cwd });
    const turn = session.prompt('wait');
    for await (const event of turn) if (event.type === 'text') break;
    await session.cancel();
    expect(await turn.result).toMatchObject({ stopReason: 'cancelled', isForced: false });
    expect((await session.prompt('hello').result).text).toBe('You said: hello');
  });

  it('loads, resumes, lists, closes and deletes', async () => {
    await using connection = await open();
    const loaded = await connection.loadSession('stored', { cwd });
    expect(loaded.transcript.entries.toArray().map((entry) => 'text' in entry && entry.text)).toEqual([
      'old question',
      'old answer',
    ]);
    await loaded.close();
    const resumed = await connection.resumeSession('stored', { cwd });
    expect(resumed.transcript.entries.length).toBe(0);
    const ids: string[] = [];
    for await (const { sessionId } of connection.listSessions()) ids.push(sessionId);
    expect(ids).toEqual(['page-1', 'page-2', 'page-3']);
    await connection.deleteSession('stored');
    expect(await failureOf(connection.loadSession('unknown', { cwd }))).toMatchObject({ code: -32002 });
  });

  it('gets only content that it takes', async () => {
    await using connection = await open();
    const session = await connection.newSession({ cwd });
    const { text } = await session.prompt([
      'look: ',
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'file:///a', name: 'a' },
    ]).result;
    expect(text).toBe('You said: look: [image][resource_link]');
    expect(() => session.prompt({ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' })).toThrow(
      /promptCapabilities.audio/,
    );
    expect(() => session.prompt([])).toThrow(/at least one/);
    expect(() => session.prompt({ type: 'image', data: '', mimeType: 'image/png' })).toThrow(/data/);
    expect(() => session.prompt({ type: 'hologram' } as never)).toThrow(/not content/);
    expect(session.transcript.turns.length).toBe(1);
  });
});
