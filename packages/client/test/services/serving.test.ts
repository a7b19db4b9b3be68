import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getTerminal, type Transcript } from '@parley/session';
import { type AgentScript, END_TURN, type Step } from '@parley/testing/scripted-agent';
import { createMemoryPair } from '@parley/transports/memory';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../src/connect/connect.ts';
import type { ConnectOptions } from '../../src/connect/connect-options.ts';
import { failureOf, useScriptedAgents } from '../support/scripted.ts';

const agents = useScriptedAgents();
let cwd = '';
beforeAll(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), 'parley-serving-')));
  await writeFile(join(cwd, 'a.txt'), 'one\ntwo\nthree\n');
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

const ask = (method: string, params: object, save?: string): Step => ({
  do: 'request',
  method,
  params: { sessionId: '$sessionId', ...params },
  echo: true,
  ...(save && { save }),
});

async function answersTo(
  steps: readonly Step[],
  options: ConnectOptions,
): Promise<{
  answers: { result?: unknown; error?: { code: number; message: string; data?: unknown } }[];
  transcript: Transcript;
  offered: unknown;
}> {
  let offered: unknown;
  const script: AgentScript = { on: { 'session/prompt': [...steps, END_TURN] } };
  await using connection = await agents.connect(script, {
    ...options,
    trace: {
      write: ({ message }) => {
        const { method, params } = message as { method?: string; params?: { clientCapabilities?: unknown } };
        if (method === 'initialize') offered = params?.clientCapabilities;
      },
    },
  });
  const session = await connection.newSession({ cwd });
  const { text } = await session.prompt('go').result;
  return {
    answers: text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
    transcript: session.transcript,
    offered,
  };
}

describe('files', () => {
  it('are read and written for the agent within the session', async () => {
    const { answers, offered } = await answersTo(
      [
        ask('fs/read_text_file', { path: join(cwd, 'a.txt'), line: 2, limit: 1 }),
        ask('fs/write_text_file', { path: join(cwd, 'new', 'b.txt'), content: 'hello' }),
        ask('fs/read_text_file', { path: join(cwd, 'new', 'b.txt') }),
      ],
      { workspace: {} },
    );
    expect(offered).toMatchObject({ fs: { readTextFile: true, writeTextFile: true }, terminal: false });
    expect(answers).toEqual([{ result: { content: 'two\n' } }, { result: {} }, { result: { content: 'hello' } }]);
    expect(await readFile(join(cwd, 'new', 'b.txt'), 'utf8')).toBe('hello');
  });

  it('that cannot be had are told with a code and a reason', async () => {
    const { answers } = await answersTo(
      [
        ask('fs/read_text_file', { path: join(cwd, 'missing.txt') }),
        ask('fs/read_text_file', { path: 'a.txt' }),
        ask('fs/read_text_file', { path: '/etc/passwd' }),
        ask('fs/read_text_file', { path: join(cwd, 'a.txt'), line: 0 }),
        ask('fs/read_text_file', { path: join(cwd, 'a.txt'), sessionId: 'other' }),
        ask('fs/write_text_file', { path: join(cwd, 'x') }),
      ],
      { workspace: {} },
    );
    expect(answers.map(({ error }) => error?.code)).toEqual([-32002, -32602, -32603, -32602, -32002, -32602]);
    expect(answers[0]?.error?.data).toMatchObject({ reason: 'file_not_found' });
    expect(answers[2]?.error).toMatchObject({ data: { kind: 'permission_denied', reason: 'path_forbidden' } });
  });

  it('may be read only, or not offered at all', async () => {
    const write = ask('fs/write_text_file', { path: join(cwd, 'x'), content: 'x' });
    const readOnly = await answersTo([write], { workspace: { isReadOnly: true } });
    expect(readOnly.offered).toMatchObject({ fs: { readTextFile: true, writeTextFile: false } });
    expect(readOnly.answers).toMatchObject([{ error: { code: -32601 } }]);
    const none = await answersTo([write], {});
    expect(none.offered).toMatchObject({ fs: { readTextFile: false, writeTextFile: false } });
    expect(none.answers).toMatchObject([{ error: { code: -32601 } }]);
  });

  it('that decide what may run later are only written when the person says so', async () => {
    const hook = join(cwd, '.git', 'hooks', 'pre-commit');
    const steps = [ask('fs/write_text_file', { path: hook, content: 'evil' })];
    const nobody = await answersTo(steps, { workspace: {} });
    expect(nobody.answers).toMatchObject([{ error: { data: { kind: 'permission_denied' } } }]);
    const questions: unknown[] = [];
    const allowed = await answersTo(steps, {
      workspace: {},
      permissions: {
        ask: (question) => {
          questions.push(question);
          return 'allow';
        },
      },
    });
    expect(questions).toMatchObject([{ toolCall: { title: `Write ${hook}`, kind: 'edit' } }]);
    expect(allowed.answers).toEqual([{ result: {} }]);
  });

  it('that a rule asks about need a word of the person each time, whether or not the agent asks', async () => {
    const steps = [
      ask('fs/write_text_file', { path: join(cwd, 'asked.txt'), content: 'x' }),
      ask('terminal/create', { command: 'rm', args: ['-f', join(cwd, 'asked.txt')] }),
      ask('terminal/create', { command: 'rm', args: ['-f', join(cwd, 'asked.txt')] }),
    ];
    const rules = { allow: ['Read'], ask: ['Edit(asked.txt)', 'Bash(rm *)'] };
    const offered = { workspace: {}, terminals: true };
    const nobody = await answersTo(steps, { ...offered, permissions: { rules } });
    expect(nobody.answers.map(({ error }) => error?.data)).toMatchObject(
      steps.map(() => ({ kind: 'permission_denied' })),
    );
    const titles: unknown[] = [];
    const person = await answersTo(steps, {
      ...offered,
      permissions: {
        rules,
        ask: ({ toolCall }) => {
          titles.push(toolCall.title);
          return titles.length < 3 ? 'allow' : 'reject';
        },
      },
    });
    const remove = `rm -f ${join(cwd, 'asked.txt')}`;
    expect(titles).toEqual([`Write ${join(cwd, 'asked.txt')}`, remove, remove]);
    expect(person.answers.map(({ error }) => error !== undefined)).toEqual([false, false, true]);
  });

  it('are not asked about twice when the agent has asked for permission itself', async () => {
    const toolCall = {
      toolCallId: 'c1',
      title: 'Remove it',
      kind: 'execute',
      rawInput: { command: 'rm -f asked.txt' },
    };
    const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
    const create = ask('terminal/create', { command: '/bin/sh', args: ['-c', 'rm -f asked.txt'] });
    const titles: unknown[] = [];
    const { answers } = await answersTo([ask('session/request_permission', { toolCall, options }), create, create], {
      terminals: true,
      permissions: {
        rules: { ask: ['Bash(rm *)'] },
        ask: (question) => {
          titles.push(question.toolCall.title);
          return titles.length === 1 ? 'allow' : 'reject';
        },
      },
    });
    expect(titles).toEqual(['Remove it', '/bin/sh -c rm -f asked.txt']);
    expect(answers.map(({ error }) => error !== undefined)).toEqual([false, false, true]);
  });

  it('with names longer than any path, and commands that cannot be, are refused at once with a reason', async () => {
    const env = [{ name: 'A', value: 'a\u0000b' }];
    const { answers } = await answersTo(
      [
        ask('fs/read_text_file', { path: `${cwd}/$fill:400000` }),
        ask('terminal/create', { command: '' }),
        ask('terminal/create', { command: 'echo', args: ['a\u0000b'] }),
        ask('terminal/create', { command: 'echo', env }),
        ask('terminal/create', { command: 'echo', args: ['$fill:4000000'] }),
      ],
      { workspace: {}, terminals: true, permissions: { mode: 'bypassPermissions' } },
    );
    expect(answers.map(({ error }) => error?.code)).toEqual([-32602, -32602, -32602, -32602, -32602]);
    expect(answers[1]?.error?.message).toContain('empty or holds a NUL');
    expect(answers[4]?.error?.message).toContain('longer than the system takes');
  });

  it('that a rule denies stay closed, whether or not the agent asks', async () => {
    const { answers } = await answersTo(
      [
        ask('fs/read_text_file', { path: join(cwd, 'a.txt') }),
        ask('terminal/create', { command: 'rm', args: ['-rf', cwd] }),
      ],
      {
        workspace: {},
        terminals: true,
        permissions: { rules: { deny: ['Read(a.txt)', 'Bash(rm *)'] } },
      },
    );
    expect(answers.map(({ error }) => error?.data)).toMatchObject([
      { kind: 'permission_denied' },
      { kind: 'permission_denied' },
    ]);
  });
});

describe('terminals', () => {
  it('serve all five methods, and show in the transcript', async () => {
    const { answers, transcript, offered } = await answersTo(
      [
        ask('terminal/create', { command: 'sh', args: ['-c', 'echo hello; echo "$PWD"; exit 4'] }, 't'),
        ask('terminal/wait_for_exit', { terminalId: '$saved:t' }),
        ask('terminal/output', { terminalId: '$saved:t' }),
        ask('terminal/kill', { terminalId: '$saved:t' }),
        ask('terminal/output', { terminalId: '$saved:t' }),
        ask('terminal/release', { terminalId: '$saved:t' }),
        ask('terminal/output', { terminalId: '$saved:t' }),
        ask('terminal/release', { terminalId: '$saved:t' }),
      ],
      { terminals: true },
    );
    expect(offered).toMatchObject({ terminal: true });
    const output = { output: `hello\n${cwd}\n`, truncated: false, exitStatus: { exitCode: 4, signal: null } };
    expect(answers.slice(1)).toMatchObject([
      { result: { exitCode: 4, signal: null } },
      { result: output },
      { result: {} },
      { result: output },
      { result: {} },
      { error: { code: -32002 } },
      { error: { code: -32002 } },
    ]);
    const { terminalId } = (answers[0]?.result ?? {}) as { terminalId: string };
    expect(getTerminal(transcript, terminalId)).toMatchObject({ cwd, output: output.output, exit: { exitCode: 4 } });
  });

  it('truncate from the start, and kill what runs', async () => {
    const { answers } = await answersTo(
      [
        ask(
          'terminal/create',
          { command: 'sh', args: ['-c', 'printf 0123456789; sleep 1000'], outputByteLimit: 4 },
          't',
        ),
        { do: 'wait', ms: 200 },
        ask('terminal/kill', { terminalId: '$saved:t' }),
        ask('terminal/output', { terminalId: '$saved:t' }),
        ask('terminal/wait_for_exit', { terminalId: '$saved:t' }),
        ask('terminal/release', { terminalId: '$saved:t' }),
      ],
      { terminals: true },
    );
    expect(answers[2]).toMatchObject({
      result: { output: '6789', truncated: true, exitStatus: { signal: 'SIGTERM', exitCode: null } },
    });
    expect(answers[3]).toEqual({ result: { exitCode: null, signal: 'SIGTERM' } });
  });

  it('are refused with a relative cwd, for a foreign session, beyond the limit, and when the command is not there', async () => {
    const { answers } = await answersTo(
      [
        ask('terminal/create', { command: 'true', cwd: 'relative' }),
        ask('terminal/create', { command: 'true', sessionId: 'other' }),
        ask('terminal/create', { command: 'no-such-command-here' }),
        ask('terminal/create', { command: 'sleep', args: ['1000'] }),
        ask('terminal/create', { command: 'sleep', args: ['1000'] }),
      ],
      { terminals: { maxTerminals: 1 } },
    );
    expect(answers.map(({ error }) => error?.code)).toEqual([-32602, -32002, -32602, undefined, -32603]);
  });

  it('of agents that run commands themselves show in the transcript too', async () => {
    const update = (meta: object, more: object = {}): Step => ({
      do: 'update',
      update: { sessionUpdate: 'tool_call_update', toolCallId: 't1', _meta: meta, ...more },
    });
    const script: AgentScript = {
      on: {
        'session/prompt': [
          {
            do: 'update',
            update: {
              sessionUpdate: 'tool_call',
              toolCallId: 't1',
              title: 'npm test',
              kind: 'execute',
              content: [{ type: 'terminal', terminalId: 'theirs' }],
              _meta: { terminal_info: { terminal_id: 'theirs', cwd: '/w' } },
            },
          },
          update({ terminal_output: { terminal_id: 'theirs', data: 'ok 1\n' } }),
          update({ terminal_output: { terminal_id: 'theirs', data: 'ok 2\n' } }),
          update({ terminal_exit: { terminal_id: 'theirs', exit_code: 0, signal: null } }, { status: 'completed' }),
          END_TURN,
        ],
      },
    };
    const { connection, session } = await agents.open(script);
    await using _ = connection;
    await session.prompt('go').result;
    expect(getTerminal(session.transcript, 'theirs')).toMatchObject({
      cwd: '/w',
      output: 'ok 1\nok 2\n',
      exit: { exitCode: 0, signal: null },
    });
  });
});

describe('plain options', () => {
  it('need a source that brings files and processes', async () => {
    const [near] = createMemoryPair();
    expect(await failureOf(connect(near, { workspace: {} }))).toMatchObject({ code: 'not_available' });
    expect(await failureOf(connect(near, { terminals: true }))).toMatchObject({ code: 'not_available' });
  });
});

describe('extensions', () => {
  it('answer requests that ACP does not know, and hear notifications, several one of them', async () => {
    const heard: unknown[] = [];
    const { answers } = await answersTo(
      [
        ask('_parley/add', { a: 1, b: 2 }),
        { do: 'notify', method: '_parley/hello', params: { x: 1 } },
        ask('_parley/fail', {}),
        ask('constructor', {}),
      ],
      {
        extensions: {
          requests: {
            '_parley/add': (params) => (params as { a: number }).a + (params as { b: number }).b,
            '_parley/fail': () => {
              throw new Error('secret detail');
            },
          },
          notifications: {
            '_parley/hello': [(params) => heard.push(params), () => heard.push('again')],
            '_parley/other': () => heard.push('never'),
          },
        },
      },
    );
    expect(answers).toMatchObject([
      { result: 3 },
      { error: { code: -32603, message: 'Internal error' } },
      { error: { code: -32601 } },
    ]);
    expect(heard).toEqual([{ x: 1 }, 'again']);
  });
});
