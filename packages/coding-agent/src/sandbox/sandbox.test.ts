import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { areGone } from '@parley/testing/processes';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Bench, createBench } from '../../test/run-tool.ts';
import { SANDBOX_TOOLS } from '../tools/list.ts';
import type { Tool, ToolOutcome } from '../tools/tool.ts';
import { openSandbox } from './open-sandbox.ts';
import { SandboxWork } from './sandbox-work.ts';

/** A folder on a PATH of its own, with a program `bwrap` that does this. */
async function fakeBubblewrap(bench: Bench, script: string): Promise<string> {
  const folder = join(bench.cwd, 'bin');
  await mkdir(folder);
  await writeFile(join(folder, 'bwrap'), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, 'bwrap'), 0o755);
  return folder;
}

describe('opening the sandbox', () => {
  it('says that bubblewrap is not there', async () => {
    const bench = await createBench();
    const state = await openSandbox({ roots: [bench.cwd], path: bench.cwd });
    expect(state).toMatchObject({ isThere: false, because: expect.stringContaining('is not installed') });
  });

  it('refuses a bubblewrap that confines nothing', async () => {
    const bench = await createBench();
    const path = await fakeBubblewrap(bench, 'while [ "$1" != "--" ]; do shift; done; shift; exec "$@"');
    const state = await openSandbox({ roots: [bench.cwd], path });
    expect(state).toMatchObject({
      isThere: false,
      because: expect.stringContaining('bubblewrap does not hold here: files outside the workspace could be'),
    });
  });

  it('passes on why bubblewrap does not work', async () => {
    const bench = await createBench();
    const path = await fakeBubblewrap(bench, 'echo "No permissions to create new namespace" >&2; exit 1');
    const state = await openSandbox({ roots: [bench.cwd], path });
    expect(state).toMatchObject({ isThere: false, because: expect.stringContaining('No permissions to create') });
  });
});

describe('the sandbox tools', () => {
  const tool = (name: string): Tool => SANDBOX_TOOLS.find((each) => each.name === name) as Tool;

  it('are the local tools under other names', () => {
    expect(SANDBOX_TOOLS.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'sandbox_read_file read',
      'sandbox_list_files search',
      'sandbox_search_files search',
      'sandbox_edit_file edit',
      'sandbox_write_file edit',
      'sandbox_delete_file delete',
      'sandbox_move_file move',
      'sandbox_run_command execute',
      'sandbox_command_output execute',
      'sandbox_stop_command execute',
    ]);
  });

  it('do nothing but say why where there is no sandbox', async () => {
    const bench = await createBench();
    const outcome = await bench.run(tool('sandbox_run_command'), { command: 'touch made' });
    expect(outcome).toEqual({ text: 'There is no sandbox.', isError: true });
    await expect(bench.read('made')).rejects.toThrow('ENOENT');
  });

  it('reach the workspace and nothing else, where this machine has bubblewrap; are refused where it has not', async () => {
    const bench = await createBench({ 'a.txt': 'needle\n', '.gitignore': '*.log\n', 'b.log': 'needle' });
    const work = new SandboxWork({ roots: [bench.cwd] });
    onTestFinished(() => work[Symbol.asyncDispose]());
    const sandbox = { ...bench.operations.sandbox, enter: () => work.enter(() => () => {}) };
    const run = (name: string, input: Record<string, unknown>): Promise<ToolOutcome> =>
      bench.run(tool(name), input, { operations: { sandbox } });
    const state = await openSandbox({ roots: [bench.cwd] });
    if (!state.isThere) {
      expect((await run('sandbox_read_file', { path: 'a.txt' })).text).toContain('There is no sandbox: bubblewrap');
      return;
    }

    expect((await run('sandbox_read_file', { path: 'a.txt' })).text).toBe('    1  needle');
    expect((await run('sandbox_list_files', {})).text).toBe('.gitignore\na.txt');
    expect((await run('sandbox_search_files', { pattern: 'needle' })).text).toBe('a.txt:1: needle');
    await run('sandbox_write_file', { path: 'new/b.txt', content: 'b' });
    await run('sandbox_edit_file', { path: 'a.txt', old_text: 'needle', new_text: 'thread' });
    await run('sandbox_move_file', { from: 'new/b.txt', to: 'c.txt' });
    await run('sandbox_delete_file', { path: 'b.log' });
    expect([await bench.read('a.txt'), await bench.read('c.txt')]).toEqual(['thread\n', 'b']);
    await expect(bench.read('b.log')).rejects.toThrow('ENOENT');
    expect((await run('sandbox_read_file', { path: 'none.txt' })).text).toContain('does not exist');

    expect((await run('sandbox_read_file', { path: '/etc/shadow' })).isError).toBe(true);
    expect((await run('sandbox_write_file', { path: '/usr/x', content: 'x' })).text).toContain('read-only file system');
    const looked = await run('sandbox_run_command', { command: 'cat /etc/shadow; env; pwd' });
    expect(looked.text).toContain('No such file or directory');
    expect(looked.text).toContain(bench.cwd);
    expect(looked.text).not.toMatch(/^root:/m);
    // Of the home folder only the way to Node is there, where Node is installed in it.
    const [first = '..'] = relative(homedir(), process.execPath).split(sep);
    const home = await run('sandbox_run_command', { command: `ls -A ${homedir()} 2> /dev/null; true` });
    expect(home.text).toBe(first === '..' ? '(no output)\n(exit code 0)' : `${first}\n(exit code 0)`);

    const server = createServer((socket) => socket.end('reached')).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as { readonly port: number };
    const connect = `require('net').connect(${port}, '127.0.0.1').on('data', (d) => console.log(String(d)))`;
    expect((await run('sandbox_run_command', { command: `node -e "${connect}"` })).text).toContain('ECONNREFUSED');

    const slow = await run('sandbox_run_command', { command: 'sleep 4321', timeout_seconds: 1 });
    expect(slow.text).toContain('Stopped after 1 s');
    const left = execFileSync('sh', ['-c', 'pgrep -f "sleep 432[1]" || true'], { encoding: 'utf8' });
    expect(await areGone(left.split('\n').filter(Boolean).map(Number), 2000)).toBe(true);
  });
});
