import { untilGone } from '@parley/testing/processes';
import { describe, expect, it } from 'vitest';
import { Scene, until } from './scene.ts';

async function answerOf(script: string, changes: Parameters<Scene['describe']>[0] = {}) {
  using scene = new Scene(script);
  await using client = await scene.connect(changes);
  const sessionId = await client.newSession();
  const answer = await client.prompt(sessionId, 'go').catch((error: Error & { code: number }) => error);
  return { answer, texts: client.texts(), updates: client.updates };
}

describe('what a command line writes', () => {
  it('counts also when its last line has no end', async () => {
    const { texts } = await answerOf(`process.stdout.write(JSON.stringify({ type: 'text', text: 'all of it' }));`);
    expect(texts).toEqual(['all of it']);
  });

  it('is read on when a line is no JSON, half a line, or not about anything', async () => {
    const { texts } = await answerOf(`
      process.stdout.write('Loading...\\n{"type":"te\\n\\r\\nnull\\n5\\n[]\\n"text"\\n{"type":null}\\n');
      process.stdout.write('{"type":"te'); setTimeout(() => process.stdout.write('xt","text":"here"}\\r\\n'), 50);`);
    expect(texts).toEqual(['here']);
  });

  it('is said once, whether it is streamed, repeated as a whole, or told again as the result', async () => {
    const { texts } = await answerOf(`
      for (const text of ['Hel', 'lo ', 'there.']) say({ type: 'delta', text });
      say({ type: 'text', text: 'Hello there.' });
      say({ type: 'text', text: 'And more.' });
      say({ type: 'result', text: 'Hello there.\\n\\nAnd more.' });`);
    expect(texts).toEqual(['Hello there.', 'And more.']);
  });

  it('is never lost: what was not streamed of a message or of the result is said', async () => {
    const { texts } = await answerOf(`
      say({ type: 'delta', text: 'Hel' }); say({ type: 'text', text: 'Hello' }); say({ type: 'result', text: 'Goodbye' });`);
    expect(texts).toEqual(['Hello', 'Goodbye']);
    const cut = await answerOf(`say({ type: 'delta', text: 'One ' }); say({ type: 'result', text: 'One two' });`);
    expect(cut.texts).toEqual(['One two']);
  });

  it('is told when there are two results, or none', async () => {
    const two = await answerOf(`say({ type: 'result', text: 'a' }); say({ type: 'result', text: 'b' });`);
    expect(two.texts).toEqual(['a', 'b']);
    const none = await answerOf(`say({ type: 'text', text: 'a' });`);
    expect(none.answer).toMatchObject({ stopReason: 'end_turn' });
    expect(none.texts).toEqual(['a']);
  });

  it('is read to its end, however much comes after the result', async () => {
    const { answer, texts } = await answerOf(`
      say({ type: 'result', text: 'done' });
      for (let index = 0; index < 20000; index += 1) say({ type: 'other', filling: 'x'.repeat(100) });
      say({ type: 'text', text: 'afterwards' });`);
    expect(answer).toMatchObject({ stopReason: 'end_turn' });
    expect(texts).toEqual(['done', 'afterwards']);
  });

  it('may be a flood of pieces, all of which arrive', async () => {
    const { texts } = await answerOf(
      `for (let index = 0; index < 50000; index += 1) say({ type: 'delta', text: index + ' ' });`,
    );
    expect(texts.join('')).toBe(Array.from({ length: 50000 }, (_, index) => `${index} `).join(''));
  });
});

describe('a command line that fails', () => {
  it.each([
    [
      'dies with words on stderr',
      `console.error('no key'); process.exitCode = 2;`,
      'exited with code 2; its last words on stderr:\nno key',
    ],
    ['dies with words on stdout', `console.log('no key'); process.exitCode = 2;`, 'no key'],
    ['says nothing at all', ``, 'ended without an answer'],
    ['speaks on stderr alone', `console.error('just this');`, 'ended without an answer; its last words:\njust this'],
    ['tells an error', `say({ type: 'error', message: 'overloaded' });`, 'overloaded'],
    ['ends in an error', `say({ type: 'result', is_error: true, text: 'broken' });`, 'broken'],
    ['kills itself', `process.kill(process.pid, 'SIGKILL'); setTimeout(() => {}, 10000);`, 'was killed by SIGKILL'],
  ])('%s, and the person reads why', async (_, script, message) => {
    const { answer } = await answerOf(script);
    expect((answer as Error).message).toContain(message);
  });

  it('goes well when an error was only passing', async () => {
    const { answer, texts } = await answerOf(`
      say({ type: 'error', message: 'trying again' }); say({ type: 'result', text: 'done' }); process.exitCode = 1;`);
    expect(answer).toMatchObject({ stopReason: 'end_turn' });
    expect(texts).toEqual(['done']);
  });

  it('cannot be started: the person reads what to do', async () => {
    using scene = new Scene('');
    await using client = await scene.connect({ command: ['there-is-no-such-command'] });
    await expect(client.prompt(await client.newSession(), 'go')).rejects.toThrow('no such command on the PATH');
  });

  it('wants a login: the person reads how, as the error that asks for it', async () => {
    const { answer } = await answerOf(`console.error('Please log in first'); process.exitCode = 1;`, {
      login: { hint: 'Run `sample login`.', when: ['log in'] },
    });
    expect(answer).toMatchObject({ code: -32000, message: expect.stringContaining('Run `sample login`.') });
  });

  it('leaves the session usable', async () => {
    using scene = new Scene(
      `if (after('-p').endsWith('fail')) process.exit(1); say({ type: 'result', text: 'fine' });`,
    );
    await using client = await scene.connect();
    const sessionId = await client.newSession();
    await expect(client.prompt(sessionId, 'fail')).rejects.toThrow('exited with code 1');
    expect(await client.prompt(sessionId, 'again')).toMatchObject({ stopReason: 'end_turn' });
  });
});

describe('a command line that takes too long', () => {
  const HANGS = `
    note({ pid: process.pid });
    process.on('SIGTERM', () => {});
    const { spawn } = await import('node:child_process');
    const child = spawn('sleep', ['1000']);
    note({ pid: child.pid });
    say({ type: 'delta', text: 'working' });
    setInterval(() => {}, 1000);`;

  it('is cancelled with all that it has started, even when it ignores the first signal, and the session goes on', async () => {
    using scene = new Scene(
      `if (after('-p').endsWith('again')) { say({ type: 'result', text: 'fine' }); process.exit(); } ${HANGS}`,
    );
    await using client = await scene.connect();
    const sessionId = await client.newSession();
    const turn = client.prompt(sessionId, 'go');
    await until(() => client.texts().length > 0);
    client.cancel(sessionId);
    expect(await turn).toMatchObject({ stopReason: 'cancelled' });
    await untilGone(
      scene.notes<{ pid: number }>().map(({ pid }) => pid),
      10_000,
    );
    expect(await client.prompt(sessionId, 'again')).toMatchObject({ stopReason: 'end_turn' });
  });

  it.each([
    [{ timeout: 1500 }, 'did not end its turn within 1.5 s'],
    [{ idleTimeout: 1500 }, 'was silent for 1.5 s'],
  ])('is ended after the time that its description gives: %j', async (changes, message) => {
    using scene = new Scene(HANGS);
    await using client = await scene.connect(changes);
    const sessionId = await client.newSession();
    await expect(client.prompt(sessionId, 'go')).rejects.toThrow(message);
    await untilGone(
      scene.notes<{ pid: number }>().map(({ pid }) => pid),
      10_000,
    );
  });
});
