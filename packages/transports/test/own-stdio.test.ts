import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BuiltProgram, buildProgram } from '@parley/testing/build-program';
import { needs, POSIX } from '@parley/testing/needs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe("a program's own stdio", () => {
  let program: BuiltProgram;
  beforeAll(async () => {
    program = await buildProgram(new URL('./fixtures/echo.ts', import.meta.url));
  });
  afterAll(() => program.remove());

  const start = (...args: string[]): ChildProcessWithoutNullStreams => spawn(process.execPath, [program.path, ...args]);

  it('carries nothing but messages until it is closed; the rest goes to stderr', async () => {
    const child = start();
    child.stdin.end('{"id":1,"params":"a"}\n{"id":2}\n');
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    expect(stdout.split('\n')).toEqual([
      '{"jsonrpc":"2.0","id":1,"result":"a"}',
      '{"jsonrpc":"2.0","id":2,"result":null}',
      'after the close',
      '',
    ]);
    expect(stderr).toContain('a stray log line\na stray write\n');
  });

  it('ends in good order when stdin ends', async () => {
    const child = start();
    child.stdin.end('{"id":1}');
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(stderr).toContain('closed: ended');
    expect(code).toBe(0);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends in good order on %s', async (signal) => {
    const child = start();
    child.stdin.write('{"id":1}\n');
    await once(child.stdout, 'data');
    child.kill(signal);
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(stderr).toContain(`got ${signal}\nclosed: ended`);
    expect(code).toBe(0);
  });

  it('lets a second signal have its usual effect', async () => {
    const child = start('--stubborn');
    child.stdin.write('{"id":1}\n');
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    for await (const chunk of child.stderr) if (String(chunk).includes('closed: ended')) break;
    child.kill('SIGTERM');
    const [, signal] = await once(child, 'exit');
    expect(signal).toBe('SIGTERM');
  });

  it('survives a peer that stops reading', async () => {
    const child = start();
    child.stdout.destroy();
    child.stdin.on('error', () => {});
    const stderr = text(child.stderr);
    const question = `{"id":1,"params":"${'x'.repeat(50_000)}"}\n`;
    child.stdin.write(question.repeat(20));
    const [code] = await once(child, 'exit');
    expect(await stderr).toContain('closed: failed');
    expect(code).toBe(0);
  });

  // Node joins itself and its children by sockets; over the plain pipes of Windows only a write can tell.
  it('notices that nobody reads any more although it writes nothing', needs(POSIX), async () => {
    const child = start();
    child.stdin.write('{"id":1}\n');
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(stderr).toContain('closed: failed');
    expect(code).toBe(0);
  });

  it('has sent everything once it is closed, so that the program may exit', async () => {
    const child = start('--flood');
    const [stdout] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(stdout.trimEnd().split('\n')).toHaveLength(100);
    expect(stdout.length).toBeGreaterThan(10_000_000);
  });

  it('waits at its close for a reader that is slower than the time limit but goes on reading', async () => {
    const child = start('--flood');
    const exited = once(child, 'exit');
    let characters = 0;
    for await (const chunk of child.stdout) {
      characters += String(chunk).length;
      // Some 150 chunks: far more time in all than the second that one may take.
      await sleep(15);
    }
    await exited;
    expect(characters).toBeGreaterThan(10_000_000);
  });

  it('is only there once', async () => {
    const child = start('--twice');
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(stderr).toContain('stdio_in_use');
    expect(code).toBe(1);
  });

  it('answers Content-Length with Content-Length', async () => {
    const child = start();
    child.stdin.end('Content-Length: 8\r\n\r\n{"id":1}');
    expect(await text(child.stdout)).toMatch(/^Content-Length: 38\r\n\r\n\{"jsonrpc":"2.0","id":1,"result":null\}/);
  });

  it('reads from a file as well', async () => {
    const path = `${program.path}.input`;
    await writeFile(path, '{"id":1}\n{"id":2}\n');
    const child = spawn(process.execPath, [program.path], { stdio: [openSync(path, 'r'), 'pipe', 'ignore'] });
    if (!child.stdout) throw new Error('stdout is a pipe');
    expect((await text(child.stdout)).match(/"id":\d/g)).toEqual(['"id":1', '"id":2']);
  });
});
