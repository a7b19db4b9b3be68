import { createBuffers } from '@parley/client';
import { describe, expect, it } from 'vitest';
import { makeProject, startInProcess } from './in-process.ts';

describe('a client that serves files', () => {
  it('is read from and written to, unsaved changes included', async () => {
    const project = await makeProject({ 'a.txt': 'on disk' });
    const buffers = createBuffers();
    buffers.open(`${project.path}/a.txt`, 'not saved yet');
    const methods: string[] = [];
    const connection = await startInProcess({
      workspace: { roots: [project.path], buffers },
      permissions: { ask: () => 'allow' },
      trace: { write: ({ message }) => void methods.push((message as { method?: string }).method ?? '') },
    });
    const session = await connection.newSession({ cwd: project.path });
    const { text } = await session.prompt('read a.txt').result;
    expect(text).toContain('not saved yet');
    await session.prompt('create b.txt with "new"').result;
    expect(await project.read('b.txt')).toBe('new');
    expect(methods).toContain('fs/read_text_file');
    expect(methods).toContain('fs/write_text_file');
  });

  it('is asked for the lines that are wanted, and for all of them where it sends more or less', async () => {
    const lines = Array.from({ length: 9 }, (_, at) => `line ${at + 1}`);
    const project = await makeProject({ 'a.txt': lines.join('\n') });
    const asked: unknown[] = [];
    let isWhole = false;
    const connection = await startInProcess({
      workspace: {
        readTextFile: async ({ line, limit }) => {
          asked.push([line, limit]);
          const from = (line ?? 1) - 1;
          return (isWhole ? lines : lines.slice(from, from + (limit ?? lines.length))).join('\n');
        },
      },
    });
    const session = await connection.newSession({ cwd: project.path });
    const part = await session.prompt('show lines 2-3 of a.txt').result;
    expect(part.text).toContain('line 2\n    3  line 3');
    expect(asked).toEqual([[2, 2]]);
    isWhole = true;
    const whole = await session.prompt('show lines 2-3 of a.txt').result;
    expect(whole.text).toContain('    2  line 2\n    3  line 3');
    expect(asked.slice(1)).toEqual([
      [2, 2],
      [undefined, undefined],
    ]);
    const past = await session.prompt('show lines 20-21 of a.txt').result;
    expect(past.toolCalls).toMatchObject([{ status: 'failed' }]);
  });

  it('is asked for several files at once', async () => {
    const project = await makeProject({ 'a.txt': 'A', 'b.txt': 'B', 'c.txt': 'C' });
    const waiting: (() => void)[] = [];
    const connection = await startInProcess({
      workspace: {
        // Nobody gets an answer before all three have asked.
        readTextFile: async ({ path }) => {
          await new Promise<void>((resolve) => {
            waiting.push(resolve);
            if (waiting.length === 3) for (const go of waiting) go();
          });
          return path;
        },
      },
    });
    const session = await connection.newSession({ cwd: project.path });
    const { toolCalls } = await session.prompt('read a.txt, read b.txt, read c.txt').result;
    expect(toolCalls.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
  });

  it('is never asked for what lies outside the workspace', async () => {
    const project = await makeProject();
    const other = await makeProject({ 'a.txt': 'theirs' });
    const methods: string[] = [];
    const connection = await startInProcess({
      workspace: { roots: ['/'] },
      permissions: { ask: () => 'allow' },
      trace: { write: ({ message }) => void methods.push((message as { method?: string }).method ?? '') },
    });
    const session = await connection.newSession({ cwd: project.path });
    const { toolCalls } = await session.prompt(`read ${other.path}/a.txt`).result;
    expect(toolCalls).toMatchObject([{ status: 'completed' }]);
    expect(methods).toContain('session/request_permission');
    expect(methods).not.toContain('fs/read_text_file');
  });

  it('gets back through itself what /undo puts back', async () => {
    const project = await makeProject({ 'a.txt': 'before' });
    const connection = await startInProcess({
      workspace: { roots: [project.path] },
      permissions: { ask: () => 'allow' },
    });
    const session = await connection.newSession({ cwd: project.path });
    await session.prompt('replace "before" with "after" in a.txt').result;
    expect(await project.read('a.txt')).toBe('after');
    await session.prompt('/undo').result;
    expect(await project.read('a.txt')).toBe('before');
  });
});

describe('a client that serves terminals', () => {
  it('runs the commands, and shows them live', async () => {
    const project = await makeProject();
    const connection = await startInProcess({ terminals: true, permissions: { ask: () => 'allow' } });
    const session = await connection.newSession({ cwd: project.path });
    const { toolCalls, text } = await session.prompt('run `node -p 6*7`').result;
    expect(toolCalls[0]?.content).toMatchObject([{ type: 'terminal' }]);
    expect(toolCalls[0]).toMatchObject({ status: 'completed', rawOutput: { exitCode: 0 } });
    expect(text).toContain('42');
  });

  it('does not run what goes on in the background', async () => {
    const project = await makeProject();
    const connection = await startInProcess({ terminals: true, permissions: { ask: () => 'allow' } });
    const session = await connection.newSession({ cwd: project.path });
    const { toolCalls } = await session.prompt('run `sleep 1000` in the background').result;
    expect(JSON.stringify(toolCalls[0]?.content)).toContain('runs in the background');
    await session.close();
  });
});

describe('a client that serves nothing', () => {
  it('is not asked for anything: the agent does it all by itself', async () => {
    const project = await makeProject({ 'a.txt': 'text' });
    const methods: string[] = [];
    const connection = await startInProcess({
      permissions: { ask: () => 'allow' },
      trace: { write: ({ message }) => void methods.push((message as { method?: string }).method ?? '') },
    });
    const session = await connection.newSession({ cwd: project.path });
    await session.prompt('read a.txt, then create b.txt with "x", then run `node -p 1`').result;
    expect(await project.read('b.txt')).toBe('x');
    expect(methods.filter((method) => /^(fs|terminal)\//.test(method))).toEqual([]);
  });
});
