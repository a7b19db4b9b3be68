import { readMessage, writeMessage } from '@parley/dialects';
import { v1 } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { openBorder } from './border.ts';

const terminal = { sessionId: 's', terminalId: 'x' };
const wait = (params: object) =>
  ({ jsonrpc: '2.0', id: 7, method: 'terminal/wait_for_exit', params: { ...terminal, ...params } }) as const;

describe('files and terminals', () => {
  it('D107 reads a part of a file by startLine and lineLimit in pharo', () => {
    const border = openBorder('pharo');
    const file = { sessionId: 's', path: '/w/a' };
    expect(border.readParams('fs/read_text_file', { ...file, startLine: 10, lineLimit: 50 })).toEqual({
      ...file,
      line: 10,
      limit: 50,
    });
    expect(border.writeParams('fs/read_text_file', { ...file, line: 10, limit: 50 })).toEqual({
      ...file,
      startLine: 10,
      lineLimit: 50,
    });
    expect(border.writeParams('fs/read_text_file', file)).toEqual(file);
  });

  it.each(['overview', 'pharo'] as const)('D108 answers a written file with null in %s', (dialect) => {
    const border = openBorder(dialect);
    expect(border.readResult('fs/write_text_file', null)).toEqual({});
    expect(border.writeResult('fs/write_text_file', {})).toBeNull();
  });

  it('D109 asks for a file in a new directory of pharo with nothing added: whoever writes it makes the directory', () => {
    const file = { sessionId: 's', path: '/w/new/dir/a', content: 'x' };
    expect(openBorder('pharo').readParams('fs/write_text_file', file)).toEqual(file);
    expect(openBorder('pharo').writeParams('fs/write_text_file', file)).toEqual(file);
  });

  it.each(['harness', 'elephant'] as const)(
    'D110 answers for a %s client that has no files and no terminals, unless it offers them',
    (dialect) => {
      const message = { jsonrpc: '2.0', id: 1, method: 'fs/read_text_file', params: { sessionId: 's', path: '/w/a' } };
      const border = openBorder(dialect);
      expect(border.writeBack(message)).toMatchObject([{ id: 1, error: { code: -32601 } }]);
      expect(border.writeBack({ ...message, method: 'terminal/create' })).toMatchObject([{ error: { code: -32601 } }]);
      const offers = { fs: { readTextFile: true, writeTextFile: false } };
      border.readParams('initialize', { protocolVersion: 1, clientCapabilities: offers });
      expect(border.write(message)).toEqual([message]);
      expect(border.writeBack({ ...message, method: 'fs/write_text_file' })).toMatchObject([
        { error: { code: -32601 } },
      ]);
    },
  );

  it('D110 calls a go client in the canonical way', () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'terminal/create', params: { sessionId: 's', command: 'ls' } };
    expect(openBorder('go').write(message)).toEqual([message]);
  });

  it('D111 has the environment of a terminal as a map in pharo, and cuts the output on our side', () => {
    const border = openBorder('pharo');
    const foreign = { sessionId: 's', command: 'ls', env: { A: 'b' } };
    const read = border.readParams('terminal/create', foreign);
    expect(read).toEqual({ sessionId: 's', command: 'ls', env: [{ name: 'A', value: 'b' }] });
    expect(border.writeParams('terminal/create', read)).toEqual(foreign);
    const limited = { ...read, outputByteLimit: 5 };
    const written = border.writeParams('terminal/create', limited);
    expect(written).not.toHaveProperty('outputByteLimit');
    expect(openBorder('pharo').readParams('terminal/create', written)).toEqual(limited);
    border.readResult('terminal/create', { terminalId: 'x' }, limited);
    const output = border.readResult('terminal/output', { output: 'abc€xyz', exitCode: null }, terminal);
    expect(output).toEqual({ output: 'xyz', truncated: true });
  });

  it('D112 tells in pharo how a process ended by one number', () => {
    const border = openBorder('pharo');
    const read = (exitCode: unknown) => border.readResult('terminal/output', { output: 'o', exitCode }, terminal);
    expect(read(null)).toEqual({ output: 'o', truncated: false });
    expect(read(3)).toEqual({ output: 'o', truncated: false, exitStatus: { exitCode: 3, signal: null } });
    expect(v1.parseResult('terminal/output', read(-1)).exitStatus).toMatchObject({ exitCode: null });
    const write = (exitStatus: unknown) =>
      border.writeResult('terminal/output', { output: 'o', truncated: false, exitStatus }, terminal);
    expect(write(undefined)).toEqual({ output: 'o', exitCode: null });
    expect(write({ exitCode: 3 })).toEqual({ output: 'o', exitCode: 3 });
    const killed = { exitCode: null, signal: 'SIGKILL' };
    expect(write(killed)).toMatchObject({ exitCode: 137 });
    expect(write({ exitCode: null, signal: 'SIGODD' })).toMatchObject({ exitCode: 128 });
    expect(border.readResult('terminal/output', write(killed), terminal)).toEqual({
      output: 'o',
      truncated: false,
      exitStatus: killed,
    });
    expect(border.writeResult('terminal/output', read(-1), terminal)).toMatchObject({ exitCode: -1 });
  });

  it('D113 marks output of which the beginning is missing, for pharo expects all of it', () => {
    const border = openBorder('pharo');
    const cut = { output: 'the end', truncated: true };
    const written = border.writeResult('terminal/output', cut, terminal) as { output: string };
    expect(written.output).toMatch(/^\[.*cut off\]\nthe end$/);
    expect(border.readResult('terminal/output', written, terminal)).toEqual(cut);
  });

  it('D114 answers a pharo agent when its waiting is over, and lets the process run', () => {
    const border = openBorder('pharo');
    const outcome = readMessage(wait({ timeout: 30 }), border.state);
    expect(outcome.toUs).toEqual([wait({})]);
    expect(outcome.later?.afterMs).toBe(30);
    const [cancelled, output] = (outcome.later?.run().toUs ?? []) as unknown as [
      unknown,
      { id: string; method: string },
    ];
    expect(cancelled).toMatchObject({ method: '$/cancel_request', params: { requestId: 7 } });
    expect(output).toMatchObject({ method: 'terminal/output', params: terminal });
    expect(border.write({ jsonrpc: '2.0', id: output.id, result: { output: 'so far', truncated: false } })).toEqual([
      { jsonrpc: '2.0', id: 7, result: { output: 'so far', exitCode: null } },
    ]);
    expect(border.write({ jsonrpc: '2.0', id: 7, error: { code: -32800, message: 'Request cancelled' } })).toEqual([]);
  });

  it('D114 does nothing at the end of the time when the process ended before, or when the time is no time', () => {
    const border = openBorder('pharo');
    const outcome = readMessage(wait({ timeout: 30 }), border.state);
    border.write({ jsonrpc: '2.0', id: 7, result: { exitCode: 0, signal: null } });
    expect(outcome.later?.run()).toEqual({ toUs: [], toPeer: [] });
    for (const timeout of [-1, Number.NaN, 1e12, '5', null]) {
      expect(readMessage(wait({ timeout }), openBorder('pharo').state).later).toBeUndefined();
    }
    expect(openBorder('pharo').writeParams('terminal/wait_for_exit', terminal)).toEqual(terminal);
  });

  it('D115 answers a pharo agent with the output and the exit code in one', () => {
    const border = openBorder('pharo');
    border.read(wait({}));
    const { toUs, toPeer } = writeMessage(
      { jsonrpc: '2.0', id: 7, result: { exitCode: null, signal: 'SIGTERM' } },
      border.state,
    );
    expect(toPeer).toEqual([]);
    const [question] = toUs as [{ id: string }];
    expect(question).toMatchObject({ method: 'terminal/output', params: terminal });
    const [answer] = border.write({
      jsonrpc: '2.0',
      id: question.id,
      result: { output: 'all of it', truncated: false },
    });
    expect(answer).toMatchObject({ id: 7, result: { output: 'all of it', exitCode: 143 } });
    const read = border.readResult('terminal/wait_for_exit', (answer as { result: unknown }).result, terminal);
    expect(read).toMatchObject({ exitCode: null, signal: 'SIGTERM' });
    border.read({ ...wait({}), id: 8 });
    const [second] = border.writeBack({ jsonrpc: '2.0', id: 8, result: { exitCode: 0 } }) as [{ id: string }];
    const error = { code: -32603, message: 'gone' };
    expect(border.write({ jsonrpc: '2.0', id: second.id, error })).toMatchObject([
      { id: 8, result: { output: '', exitCode: 0 } },
    ]);
  });

  it('D115 takes the exit code of a pharo client, and keeps the output beside', () => {
    const read = openBorder('pharo').readResult('terminal/wait_for_exit', { output: 'all', exitCode: 0 }, terminal);
    expect(read).toEqual({ exitCode: 0, signal: null, _meta: { dialect: { output: 'all' } } });
    v1.parseResult('terminal/wait_for_exit', read);
  });

  it.each(['terminal/kill', 'terminal/release'])('D116 answers %s with null in pharo', (method) => {
    const border = openBorder('pharo');
    expect(border.readResult(method, null)).toEqual({});
    expect(border.writeResult(method, {})).toBeNull();
  });

  it('D117 offers terminals only when pharo offers every method of them', () => {
    const border = openBorder('pharo');
    const offer = (terminals: object) =>
      border.readParams('initialize', { protocolVersion: 1, clientCapabilities: { terminal: terminals } });
    const all = { create: true, output: true, waitForExit: true, kill: true, release: true };
    for (const method of Object.keys(all)) {
      expect(offer({ ...all, [method]: false }).clientCapabilities).toMatchObject({ terminal: false });
    }
    expect(offer(all).clientCapabilities).toMatchObject({ terminal: true });
  });

  it('D118 releases a terminal in pharo as in ACP: it is gone, and its last output stays shown', () => {
    const border = openBorder('pharo');
    expect(border.readParams('terminal/release', terminal)).toEqual(terminal);
    expect(border.writeParams('terminal/release', terminal)).toEqual(terminal);
    const update = {
      sessionUpdate: 'tool_call_update',
      toolCallId: 't',
      content: [{ type: 'terminal', terminalId: 'x' }],
    };
    expect(border.writeUpdate(update).content).toMatchObject([{ terminalId: 'x' }]);
  });

  it('D118 kills what still runs before its terminal is released in pharo, whose release does not', () => {
    const border = openBorder('pharo');
    const release = { jsonrpc: '2.0', id: 9, method: 'terminal/release', params: terminal };
    const start = (): unknown =>
      border.readResult('terminal/create', { terminalId: terminal.terminalId }, { sessionId: 's', command: 'sleep' });
    start();
    const [kill, ...rest] = border.write(release) as [{ id: string }];
    expect(kill).toEqual({ jsonrpc: '2.0', id: kill.id, method: 'terminal/kill', params: terminal });
    expect(rest).toEqual([release]);
    // Our side has not asked for it.
    expect(border.read({ jsonrpc: '2.0', id: kill.id, result: null })).toEqual([]);
    expect(border.read({ jsonrpc: '2.0', id: 9, result: null })).toEqual([{ jsonrpc: '2.0', id: 9, result: {} }]);
    for (const end of [
      () => border.readResult('terminal/wait_for_exit', { output: '', exitCode: 0 }, terminal),
      () => border.readResult('terminal/output', { output: '', exitCode: 0 }, terminal),
      () => border.readResult('terminal/kill', null, terminal),
    ]) {
      start();
      border.readResult('terminal/output', { output: '', exitCode: null }, terminal);
      end();
      expect(border.write(release)).toEqual([release]);
    }
  });

  it('D119 leaves paths of pharo as they are, for the roots of the workspace to judge', () => {
    const border = openBorder('pharo');
    const outside = { sessionId: 's', path: '/etc/passwd' };
    expect(border.readParams('fs/read_text_file', outside)).toEqual(outside);
    border.writeResult('session/new', { sessionId: 's' }, { cwd: '/w', mcpServers: [] });
    expect(border.state.sessions.get('s')?.cwd).toBe('/w');
  });
});
