import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProcessExitError, SpawnError } from '@parley/host/process';
import { FAMILY_SCRIPT as FAMILY, isRunning, untilGone } from '@parley/testing/processes';
import { Recorder } from '@parley/testing/transport-cases';
import { type ProcessTransport, type SpawnProcessOptions, spawnProcess } from '@parley/transports/process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const READY = '{"jsonrpc":"2.0","method":"ready"}';

describe('a spawned process', () => {
  let folder: string;
  const spawned: ProcessTransport[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-spawn-'));
  });
  afterEach(async () => {
    await Promise.all(spawned.splice(0).map((transport) => transport.close()));
    await rm(folder, { recursive: true });
  });

  async function start(options: SpawnProcessOptions) {
    const transport = await spawnProcess({ recordsDir: folder, eofGraceMs: 2000, termGraceMs: 100, ...options });
    spawned.push(transport);
    return { transport, recorder: new Recorder(transport) };
  }

  const shell = (script: string, options: Partial<SpawnProcessOptions> = {}) =>
    start({ command: 'sh', args: ['-c', script], ...options });

  it('ends by itself when its stdin ends', async () => {
    const { transport, recorder } = await shell(`echo '${READY}'; cat >/dev/null`);
    await recorder.messages(1);
    await transport.close();
    expect(await transport.process.exited).toEqual({ code: 0, signal: null });
    expect(recorder.closes).toEqual([{ kind: 'closed' }]);
  });

  it('is asked to end with SIGTERM when it ignores the end of its stdin', async () => {
    const { transport, recorder } = await shell(`echo '${READY}'; sleep 1000`, { eofGraceMs: 20 });
    await recorder.messages(1);
    await transport.close();
    expect(await transport.process.exited).toEqual({ code: null, signal: 'SIGTERM' });
  });

  it('is killed with all it has started when that does not help', async () => {
    const { transport, recorder } = await start({ command: 'sh', args: [FAMILY], eofGraceMs: 20 });
    await recorder.messages(1);
    const pids = pidsOf(recorder);
    expect(pids.map(isRunning)).toEqual([true, true]);
    await transport.close();
    await untilGone(pids, 0);
    expect(await transport.process.exited).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('tells code and last words when it crashes, and leaves no child behind', async () => {
    const { transport, recorder } = await start({ command: 'sh', args: [FAMILY, 'crash'] });
    await recorder.closed();
    const [reason] = recorder.closes;
    expect(reason?.kind).toBe('failed');
    expect(reason?.error).toBeInstanceOf(ProcessExitError);
    expect(reason?.error).toMatchObject({ exitCode: 3, signal: null, stderrTail: 'out of luck\n' });
    expect(reason?.error?.message).toBe(
      `"sh ${FAMILY} crash" exited with code 3; its last words on stderr:\nout of luck`,
    );
    await transport.process.stop();
    await untilGone(pidsOf(recorder), 0);
  });

  it('tells the signal that killed it', async () => {
    const { transport, recorder } = await shell('sleep 1000');
    process.kill(transport.process.pid, 'SIGKILL');
    await recorder.closed();
    expect(recorder.closes[0]).toMatchObject({ kind: 'failed', error: { exitCode: null, signal: 'SIGKILL' } });
  });

  it('has ended in good order when it exits with code 0', async () => {
    const { recorder } = await shell(`echo '${READY}'`);
    await recorder.closed();
    expect(recorder.deliveries.map(({ kind }) => kind)).toEqual(['message', 'close']);
    expect(recorder.closes[0]).toMatchObject({ kind: 'ended', error: { exitCode: 0 } });
  });

  it('is stopped when it closes its output, since nobody could hear it any more', async () => {
    const { transport, recorder } = await shell('exec >&-; sleep 1000', { eofGraceMs: 20 });
    await recorder.closed();
    expect(recorder.closes[0]?.kind).toBe('failed');
    await untilGone([transport.process.pid], 2000);
  });

  it('keeps what it said for a listener that comes after its end', async () => {
    const transport = await spawnProcess({ command: 'sh', args: ['-c', `echo '${READY}'`], recordsDir: false });
    await transport.process.exited;
    const recorder = new Recorder(transport);
    await recorder.closed();
    expect(recorder.deliveries.map(({ kind }) => kind)).toEqual(['message', 'close']);
  });

  it('may chatter on stdout; the lines are counted and the first are kept', async () => {
    const { transport, recorder } = await shell(
      `for n in 1 2 3 4 5 6 7; do echo "hello $n"; done; echo '${READY}'; cat`,
    );
    await recorder.messages(1);
    expect(recorder.faults).toEqual([]);
    expect(transport.noise).toEqual({
      lines: 7,
      first: ['hello 1', 'hello 2', 'hello 3', 'hello 4', 'hello 5'],
    });
  });

  it('has the end of its stderr kept and all of it passed on', async () => {
    let heard = '';
    const { transport, recorder } = await shell('i=0; while [ $i -lt 1000 ]; do echo "line $i" >&2; i=$((i+1)); done', {
      stderrTailCharacters: 18,
      onStderr: (text) => {
        heard += text;
      },
    });
    await recorder.closed();
    expect(heard.split('\n')).toHaveLength(1001);
    expect(transport.process.stderrTail).toBe('line 998\nline 999\n');
  });

  it('gets the working directory and the environment that were asked for', async () => {
    const { recorder } = await shell(`echo "{\\"cwd\\":\\"$(pwd -P)\\",\\"a\\":\\"$A\\",\\"home\\":\\"$HOME\\"}"`, {
      cwd: '/',
      env: { PATH: process.env.PATH, A: 'b' },
    });
    await recorder.messages(1);
    expect(recorder.values).toEqual([{ cwd: '/', a: 'b', home: '' }]);
  });

  it('is recorded while it runs, and no longer', async () => {
    const { transport, recorder } = await shell(`echo '${READY}'; cat >/dev/null`);
    await recorder.messages(1);
    expect(await readdir(folder)).toHaveLength(1);
    await transport.close();
    expect(await readdir(folder)).toEqual([]);
  });

  it('starts although it cannot be recorded', async () => {
    const { recorder } = await shell(`echo '${READY}'`, { recordsDir: '/dev/null/nowhere' });
    await recorder.messages(1);
    expect(recorder.values).toHaveLength(1);
  });

  it.each([
    ['a command that is not installed', { command: 'no-such-agent' }, /"no-such-agent": no such command on the PATH/],
    ['a path that does not exist', { command: '/no/such/agent' }, /"\/no\/such\/agent": no such file/],
    ['a file that is not executable', { command: FAMILY }, /may not be executed.*chmod \+x/],
    [
      'a missing working directory',
      { command: 'sh', cwd: '/no/such/folder' },
      /"\/no\/such\/folder" is not a directory/,
    ],
    ['a command with a NUL in it', { command: 'a\0b' }, /holds a NUL/],
    ['a command line instead of a command', { command: 'echo hello' }, /run without a shell/],
  ])('is not started from %s, and the error says so', async (_, options, message) => {
    const starting = spawnProcess({ recordsDir: folder, ...options });
    await expect(starting).rejects.toThrow(SpawnError);
    await expect(starting).rejects.toThrow(message);
  });

  it('is not started without its interpreter, and the error says so', async () => {
    const path = join(folder, 'script');
    await writeFile(path, '#!/no/such/interpreter\n', { mode: 0o755 });
    await expect(spawnProcess({ command: path })).rejects.toThrow(
      /the interpreter that its first line names is missing/,
    );
  });
});

function pidsOf(recorder: Recorder): number[] {
  return (recorder.values[0] as { params: number[] }).params;
}
