import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { untilGone } from '../processes/index.ts';
import { buildCommandLines, type CommandLines, type FormatName, HUGE_CHARS, readCalls } from './index.ts';

const CALLS: Readonly<Record<FormatName, (prompt: string, sessionId?: string) => readonly string[]>> = {
  claude: (prompt, id) => [
    '-p',
    '--output-format',
    'stream-json',
    '--verbose',
    ...(id ? ['--resume', id] : []),
    prompt,
  ],
  codex: (prompt, id) => ['exec', '--json', ...(id ? ['resume', id] : []), prompt],
  gemini: (prompt, id) => ['--output-format', 'stream-json', ...(id ? ['--resume', id] : []), '-p', prompt],
  opencode: (prompt, id) => ['run', '--format', 'json', ...(id ? ['--session', id] : []), prompt],
  qwen: (prompt, id) => ['--output-format', 'stream-json', ...(id ? ['--resume', id] : []), '-p', prompt],
  kimi: (prompt, id) => ['--output-format', 'stream-json', ...(id ? ['--session', id] : []), '-p', prompt],
  copilot: (prompt, id) => ['--output-format', 'json', ...(id ? ['--resume', id] : []), '-p', prompt],
  amp: (prompt, id) => [...(id ? ['threads', 'continue', id] : []), '--stream-json-thinking', '-x', prompt],
  droid: (prompt, id) => ['exec', '--output-format', 'stream-json', ...(id ? ['--session-id', id] : []), prompt],
  goose: (prompt, id) => [
    ...['run', '--output-format', 'stream-json'],
    ...(id ? ['--resume', '--name', id] : ['--name', 'mine']),
    ...['--text', prompt],
  ],
};

let lines: CommandLines;
let folder: string;
beforeAll(async () => {
  lines = await buildCommandLines();
  folder = await mkdtemp(join(tmpdir(), 'parley-lines-'));
});
afterAll(async () => {
  await lines.remove();
  await rm(folder, { recursive: true, force: true });
});

function start(format: FormatName, argv: readonly string[]): ChildProcess {
  const [program = '', ...first] = lines.command({ format, folder: join(folder, format) });
  return spawn(program, [...first, ...argv], { stdio: ['pipe', 'pipe', 'pipe'] });
}

async function run(format: FormatName, argv: readonly string[]) {
  const child = start(format, argv);
  child.stdin?.end();
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('There are no pipes.');
  const code = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { output: await text(stdout), errors: await text(stderr), code: await code };
}

describe.each(Object.keys(CALLS) as FormatName[])('%s', (format) => {
  it('answers with lines of JSON, and goes on with a session', async () => {
    const first = await run(format, CALLS[format]('hello $& "you"'));
    expect(first.errors).toBe('');
    expect(first.code).toBe(0);
    const written = first.output.trimEnd().split('\n');
    for (const line of written) expect(JSON.parse(line)).toBeTypeOf('object');
    expect(JSON.stringify(first.output)).toContain('made');
    const id = /"(?:session_id|thread_id|sessionID|sessionId)":"([^"]+)"/.exec(first.output)?.[1] ?? 'mine';
    const second = await run(format, CALLS[format]('and now?', id));
    expect(second.errors).toBe('');
    // Some write it in pieces, of which this is the first.
    expect(second.output).toContain('Turn 2: ');
  });

  it('refuses an option that it does not know, and a session that is not there', async () => {
    const { errors, code, output } = await run(format, [...CALLS[format]('x'), '--surely-not']);
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(errors).toContain('error: ');
    const gone = await run(format, CALLS[format]('x', 'gone'));
    expect(gone).toMatchObject({ code: 2, output: '', errors: expect.stringContaining('No conversation found') });
  });
});

it('misbehaves as the prompt says', async () => {
  const claude = (prompt: string) => run('claude', CALLS.claude(prompt));
  expect(await claude('do:dies')).toMatchObject({ code: 3, errors: 'fatal: out of memory\n' });
  expect(await claude('do:stderrOnly')).toMatchObject({ code: 1, output: '' });
  expect(await claude('do:saysNothing')).toEqual({ code: 0, output: '', errors: '' });
  expect((await claude('do:halfLine')).output).toMatch(/\}$/);
  expect((await claude('do:twoResults')).output.match(/"type":"result"/g)).toHaveLength(2);
  expect((await claude('do:noResult')).output).not.toContain('"type":"result"');
  expect((await claude('do:hugeLine')).output.length).toBeGreaterThan(HUGE_CHARS);
  expect((await claude('do:splitsBytes')).output).toMatch(/Turn 1: do:splitsBytes/);
  expect((await claude('an earlier do:dies, and then do:exitsAfterResult')).code).toBe(1);
});

it('asks on stdout and hears on stdin, for one that reads lines', async () => {
  const child = start('claude', [...CALLS.claude('').slice(0, -1), '--input-format', 'stream-json']);
  const seen: string[] = [];
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.stdout?.setEncoding('utf8').on('data', (data: string) => {
    seen.push(data);
    const question = /"request_id":"([^"]+)"/.exec(data)?.[1];
    if (question === undefined) return;
    const response = { subtype: 'success', request_id: question, response: { behavior: 'deny' } };
    child.stdin?.end(`${JSON.stringify({ type: 'control_response', response })}\n`);
  });
  child.stdin?.write(`${JSON.stringify({ type: 'user', message: { content: 'do:asks' } })}\n`);
  await ended;
  expect(seen.join('')).toContain('The person said no.');
});

it('leaves a child behind that ignores SIGTERM', async () => {
  const child = start('codex', CALLS.codex('do:leavesChildren'));
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  const left = readCalls(join(folder, 'codex')).flatMap((call) => call.child ?? []);
  expect(left).toHaveLength(1);
  child.kill('SIGKILL');
  for (const pid of left) process.kill(pid, 'SIGKILL');
  await untilGone(left, 10_000);
});
