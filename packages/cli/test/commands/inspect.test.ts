import { spawn } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { areGone } from '@parley/testing/processes';
import { type AgentScript, MISBEHAVIOURS, type Step, sayAndEnd } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { readLines, useParley } from '../support/parley.ts';
import { asksPermission } from '../support/scripts.ts';

const parley = useParley();

const trace = (name: string) => join(parley.folder, name);
const quoted = (words: readonly string[]) =>
  words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
/** The command line of an agent with a tap before it. */
const tapped = (file: string, script: AgentScript, ...flags: string[]) =>
  quoted([process.execPath, parley.program, 'inspect', '--trace', file, ...flags, '--', ...parley.agentWords(script)]);

describe('parley inspect', () => {
  it('passes every byte unchanged in both directions, whatever they are', async () => {
    // `cat` as an agent: what comes back is what went in.
    const child = spawn(
      process.execPath,
      [parley.program, 'inspect', '--no-live', '--trace', trace('bytes.ndjson'), '--', 'cat', '-u'],
      {
        env: parley.env,
        cwd: parley.folder,
      },
    );
    const input = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"initialize"}\r\nnot json\n\n'),
      Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0xc3]),
      Buffer.from('Content-Length: 2\r\n\r\n{}{"half":'),
      Buffer.alloc(300_000, 0x61),
    ]);
    const received: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => received.push(chunk));
    for (let start = 0; start < input.length; start += 7777) child.stdin.write(input.subarray(start, start + 7777));
    child.stdin.end();
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(code).toBe(0);
    expect(Buffer.concat(received).equals(input)).toBe(true);
    const [first] = readLines(readFileSync(trace('bytes.ndjson'), 'utf8'));
    expect(first).toMatchObject({ direction: 'out', message: { method: 'initialize' } });
  });

  it('records a real conversation without secrets, and shows it', async () => {
    const script: AgentScript = {
      onStart: [{ do: 'stderr', text: 'started\n' }],
      on: { 'session/prompt': sayAndEnd('token sk-abcdefghijklmnopqrstuvwx') },
    };
    const { code, stdout } = await parley.run([
      'exec',
      '--format',
      'quiet',
      '--agent',
      tapped(trace('talk.ndjson'), script),
      'Hi',
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain('sk-abcdefghijklmnopqrstuvwx');
    const text = readFileSync(trace('talk.ndjson'), 'utf8');
    expect(text).not.toContain('abcdefghijklmnop');
    expect(statSync(trace('talk.ndjson')).mode & 0o777).toBe(0o600);
    const lines = readLines(text);
    expect(lines.flatMap(({ direction }) => direction ?? [])).toEqual(['out', 'in', 'out', 'in', 'out', 'in', 'in']);
    expect(lines.flatMap(({ stderr }) => stderr ?? [])).toEqual(['started\n']);
    const shown = (await parley.run(['trace', 'show', trace('talk.ndjson')])).stdout;
    expect(shown).toMatch(/<-\s+1\s+initialize\s+= version 1/);
    expect(shown).toMatch(/<-\s+3\s+session\/prompt\s+= end_turn \d+ ms/);
    const filtered = (await parley.run(['trace', 'show', '--method', 'session/new', '--json', trace('talk.ndjson')]))
      .stdout;
    expect(readLines(filtered)).toHaveLength(2);
  });

  it("gives the agent's exit code, and shows what it says on stderr", async () => {
    const { code, stderr } = await parley.run([
      'inspect',
      '--no-live',
      '--',
      ...parley.agentWords(MISBEHAVIOURS.diesAtStart),
    ]);
    expect(code).toBe(3);
    expect(stderr).toContain('fatal: no configuration found');
    expect((await parley.run(['inspect', '--', 'no-such-program', '--acp'])).stderr).toContain('no such program');
  });

  it('folds a flood of chunks into one line', async () => {
    const { stdout } = await parley.run([
      'exec',
      '--format',
      'quiet',
      '--agent',
      tapped(trace('flood.ndjson'), MISBEHAVIOURS.flood),
      'Hi',
    ]);
    expect(stdout).toHaveLength(20_001);
    expect((await parley.run(['trace', 'show', trace('flood.ndjson')])).stdout).toContain('(x20000)');
  });

  it('leaves no agent behind when it is killed', { timeout: 20_000 }, async () => {
    const child = spawn(
      process.execPath,
      [parley.program, 'inspect', '--no-live', '--', ...parley.agentWords(MISBEHAVIOURS.leavesChildren)],
      { env: parley.env },
    );
    const said: string[] = [];
    const hasSaid = new Promise<void>((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said.push(text);
        if (said.join('').includes('child ')) resolve();
      });
    });
    const send = (message: object): void =>
      void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    send({ id: 1, method: 'initialize', params: { protocolVersion: 1 } });
    send({ id: 2, method: 'session/new', params: { cwd: '/', mcpServers: [] } });
    send({ id: 3, method: 'session/prompt', params: { sessionId: 's1', prompt: [{ type: 'text', text: 'go' }] } });
    await hasSaid;
    const pids = [...said.join('').matchAll(/(?:pid|child) (\d+)/g)].map((match) => Number(match[1]));
    expect(pids).toHaveLength(2);
    child.kill('SIGKILL');
    expect(await areGone(pids, 10_000)).toBe(true);
  });
});

describe('what is judged by the version that was agreed upon', () => {
  type Said = readonly ['in' | 'out', object];
  const record = (name: string, said: readonly Said[]): string => {
    const lines = said.map(([direction, message], index) =>
      JSON.stringify({ time: 1000 + index, direction, message: { jsonrpc: '2.0', ...message } }),
    );
    writeFileSync(trace(name), `${lines.join('\n')}\n`);
    return trace(name);
  };
  const info = { name: 'fixture', version: '2.0.0' };
  const update = (fields: object): Said => [
    'in',
    { method: 'session/update', params: { sessionId: 's', update: fields } },
  ];
  const open = (version: number): readonly Said[] => [
    ['out', { id: 0, method: 'initialize', params: { protocolVersion: 2, info, clientInfo: info } }],
    ['in', { id: 0, result: { protocolVersion: version, info, agentInfo: info } }],
  ];
  const chunk = (messageId?: string): Said =>
    update({
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text: 'hi' },
      ...(messageId && { messageId }),
    });
  const said: readonly Said[] = [
    ['out', { id: 1, method: 'session/prompt', params: { sessionId: 's', prompt: [{ type: 'text', text: 'go' }] } }],
    ['in', { id: 1, result: { messageId: 'm1' } }],
    update({ sessionUpdate: 'state_update', state: 'running' }),
    chunk('m2'),
    update({ sessionUpdate: 'agent_message', messageId: 'm2', content: [{ type: 'text', text: 'hi there' }] }),
    update({
      sessionUpdate: 'tool_call_content_chunk',
      toolCallId: 'c',
      content: { type: 'diff', changes: [{ operation: 'add', path: '/a' }] },
    }),
    update({ sessionUpdate: 'terminal_update', terminalId: 't', command: 'ls', exitStatus: { exitCode: 2 } }),
    update({ sessionUpdate: 'terminal_output_chunk', terminalId: 't', data: Buffer.from('out').toString('base64') }),
    update({ sessionUpdate: 'plan_update', plan: { type: 'items', planId: 'p', entries: [] } }),
    ['out', { id: 2, method: 'tool_call/cancel', params: { sessionId: 's', toolCallId: 'c' } }],
    [
      'in',
      {
        id: 3,
        method: 'session/request_permission',
        params: { sessionId: 's', title: 'Really?', options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }] },
      },
    ],
    update({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' }),
  ];

  it('describes what version 2 says in words, and finds nothing wrong with it', async () => {
    const { stdout } = await parley.run(['trace', 'show', record('second.ndjson', [...open(2), ...said])]);
    expect(stdout).not.toContain('not as the schema has it');
    for (const words of [
      'version 2 fixture 2.0.0',
      '= message m1',
      'state_update running',
      'agent_message "hi there"',
      'tool_call_content_chunk c [diff] add /a',
      'terminal_update t ls (exit 2)',
      'terminal_output_chunk t "out"',
      'plan_update p (0 entries)',
      'tool_call/cancel  c',
      'session/request_permission  Really?',
      'state_update idle (end_turn)',
    ])
      expect(stdout).toContain(words);
  });

  it('tells what does not belong to the version that the agent chose', async () => {
    const { stdout } = await parley.run(['trace', 'show', record('first.ndjson', [...open(1), ...said])]);
    expect(stdout).toMatch(/session\/prompt.*\n.*not as the schema has it: stopReason/);
    expect(stdout).toMatch(/tool_call\/cancel.*\n.*tool_call\/cancel is no method of version 1/);
    expect(stdout).toMatch(/state_update.*\n.*not as the schema has it/);
  });

  it('tells what version 2 no longer has, and who must not say what', async () => {
    const wrong: readonly Said[] = [
      chunk(),
      ['out', { id: 1, method: 'session/load', params: { sessionId: 's', cwd: '/' } }],
      ['in', { id: 5, method: 'session/new', params: { cwd: '/' } }],
      ['out', { id: 6, method: 'session/cancel', params: { sessionId: 's' } }],
      ['in', { id: 7, method: '_mine/own', params: {} }],
    ];
    const file = record('wrong.ndjson', [...open(2), ...wrong]);
    const { stdout } = await parley.run(['trace', 'show', file]);
    expect(stdout).toContain('update.messageId: expected string, got nothing');
    expect(stdout).toContain('session/load is no method of version 2');
    expect(stdout).toContain('session/new is sent to the agent, not by it');
    expect(stdout).toContain('session/cancel is a notification, and has no id');
    expect(stdout.match(/not as the schema has it/g)).toHaveLength(4);
    // What is not shown counts all the same: the version was agreed upon there.
    const filtered = (await parley.run(['trace', 'show', '--method', 'session/load', file])).stdout;
    expect(filtered).toContain('session/load is no method of version 2');
  });
});

describe('parley trace replay', () => {
  const steps: readonly Step[] = [
    { do: 'say', text: 'one ' },
    { do: 'say', text: 'two' },
    asksPermission({ command: 'ls' }),
    ...sayAndEnd('done'),
  ];
  const withPrompt = (prompt: readonly Step[], sessionId = 'from-the-trace'): AgentScript => ({
    on: { 'session/new': [{ do: 'respond', result: { sessionId } }], 'session/prompt': prompt },
  });
  const asks = withPrompt(steps);
  const record = async (file: string, script: AgentScript) => {
    const { code, stderr } = await parley.run([
      'exec',
      '--approve-all',
      '--trace',
      file,
      '--agent',
      parley.agent(script),
      'Hi',
    ]);
    expect(code, stderr).toBe(0);
  };

  it('plays the client against the same agent, in other pieces and with another session id, without divergence', async () => {
    await record(trace('asks.ndjson'), asks);
    const anew = withPrompt([{ do: 'say', text: 'one two' }, ...steps.slice(2)], 'another');
    for (const script of [asks, anew]) {
      const { code, stderr } = await parley.run([
        'trace',
        'replay',
        '--as',
        'client',
        trace('asks.ndjson'),
        '--',
        ...parley.agentWords(script),
      ]);
      expect(stderr).toContain('no divergence');
      expect(code).toBe(0);
    }
  });

  it('stops at the first divergence and says what was expected', async () => {
    const other = withPrompt(sayAndEnd('I do not ask'));
    const { code, stderr } = await parley.run([
      'trace',
      'replay',
      '--as',
      'client',
      trace('asks.ndjson'),
      '--',
      ...parley.agentWords(other),
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain('expected  request session/request_permission');
    expect(stderr).toContain('got       answer to session/prompt: end_turn');
    const silent = withPrompt([]);
    const late = await parley.run([
      'trace',
      'replay',
      '--as',
      'client',
      '--step-timeout',
      '0.3',
      trace('asks.ndjson'),
      '--',
      ...parley.agentWords(silent),
    ]);
    expect(late.stderr).toContain('nothing within 0.3 s');
  });

  it('compares every field with --exact', async () => {
    const loose = withPrompt([...steps.slice(0, 3), ...sayAndEnd('other words')]);
    const args = (script: AgentScript) => [trace('asks.ndjson'), '--', ...parley.agentWords(script)];
    expect((await parley.run(['trace', 'replay', '--as', 'client', ...args(loose)])).code).toBe(0);
    const exact = await parley.run(['trace', 'replay', '--as', 'client', '--exact', ...args(loose)]);
    expect(exact.code).toBe(1);
    expect(exact.stderr).toContain('other words');
    expect((await parley.run(['trace', 'replay', '--as', 'client', '--exact', ...args(asks)])).code).toBe(0);
  });

  it('plays the agent against a real client', async () => {
    const agent = quoted([process.execPath, parley.program, 'trace', 'replay', '--as', 'agent', trace('asks.ndjson')]);
    const { code, stdout, stderr } = await parley.run([
      'exec',
      '--format',
      'quiet',
      '--approve-all',
      '--agent',
      agent,
      'Hi',
    ]);
    expect(code, stderr).toBe(0);
    expect(stdout).toBe('one twodone\n');
    const denied = await parley.run(['exec', '--deny-all', '--agent', agent, 'Hi']);
    expect(denied.code).toBe(5);
  });

  it('says so when a file is no trace', async () => {
    writeFileSync(trace('none.ndjson'), 'hello\n');
    for (const args of [['show'], ['replay', '--as', 'agent']]) {
      const { code, stderr } = await parley.run(['trace', ...args, trace('none.ndjson')]);
      expect(code).toBe(2);
      expect(stderr).toContain('is no trace');
    }
  });
});
