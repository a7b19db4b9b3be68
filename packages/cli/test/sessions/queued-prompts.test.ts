import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@parley/client';
import { spawnAgent } from '@parley/client/node';
import { readEntry } from '@parley/session';
import type { SessionLog } from '@parley/store';
import { sqliteStore } from '@parley/store/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Running, useParley } from '../support/parley.ts';

const parley = useParley();
const prompt = (...args: string[]): string[] => ['prompt', '--approve-all', ...args];
const quiet = (...args: string[]): string[] => prompt('--format', 'quiet', ...args);

let files = 0;

/** A command that runs until its file is there. */
function gate(): { readonly command: string; open(): void } {
  const file = join(parley.folder, `gate-${++files}`);
  return { command: `run until [ -e ${file} ]; do sleep 0.05; done`, open: () => writeFileSync(file, '') };
}

function openLog(): SessionLog {
  const store = sqliteStore({ path: join(parley.env.XDG_STATE_HOME ?? '', 'parley', 'sessions.db') });
  onTestFinished(() => store.close());
  return store.log();
}

/** The id that our own agent has for the session that was begun last. */
async function newestSession(log: SessionLog): Promise<string> {
  return (await log.list()).sessions[0]?.id ?? '';
}

/** Resolves when a number of entries of a kind are in the log. */
async function logHas(log: SessionLog, id: string, kind: string, count = 1): Promise<void> {
  let seen = 0;
  for await (const logged of log.follow(id)) {
    if (logged.kind === kind) seen += 1;
    if (seen === count) return;
  }
}

/** How the turns ended, in their order. */
async function endings(log: SessionLog, id: string): Promise<string[]> {
  const ends: string[] = [];
  for await (const logged of log.read(id)) {
    const entry = readEntry(logged);
    if (entry?.type === 'turn_ended') ends.push(entry.stopReason ?? `error: ${entry.error?.message}`);
  }
  return ends;
}

/** What people asked, in the order in which it ran. */
async function asked(log: SessionLog, id: string): Promise<string[]> {
  const prompts: string[] = [];
  for await (const logged of log.read(id)) {
    const entry = readEntry(logged);
    const event = entry?.type === 'event' ? entry.event : undefined;
    if (event?.type === 'message_chunk' && event.speaker === 'user' && event.content.type === 'text')
      prompts.push(event.content.text);
  }
  return prompts;
}

interface Work {
  readonly first: Running;
  readonly log: SessionLog;
  readonly id: string;
  open(): void;
}

/** A process that works in a new session until `open` is called. */
async function work(name: string): Promise<Work> {
  const { command, open } = gate();
  const first = parley.start(prompt('--name', name, command));
  await first.sees('(running)');
  const log = openLog();
  return { first, log, id: await newestSession(log), open };
}

describe('a prompt that waits for another process of our own agent', () => {
  it.each([
    ['ends', async ({ open }: Work): Promise<void> => open(), 0],
    ['is cancelled', async (): Promise<void> => void (await parley.run(['cancel', '-s', 'is cancelled'])), 130],
    ['is interrupted with Ctrl-C', async ({ first }: Work): Promise<void> => void first.process.kill('SIGINT'), 130],
  ] as const)('runs when the turn before it %s, and takes the time that it needs', async (name, end, code) => {
    const working = await work(name);
    const { first, log, id } = working;
    const second = parley.start(quiet('-s', name, 'run sleep 2; echo second-answer'));
    await logHas(log, id, 'prompt');
    await end(working);
    expect((await first.finished).code).toBe(code);
    expect(await second.finished).toMatchObject({ code: 0, stdout: expect.stringContaining('second-answer') });
    expect(await endings(log, id)).toEqual([code === 0 ? 'end_turn' : 'cancelled', 'end_turn']);
  });

  it('shows nothing of the turns before its own, in any format', async () => {
    const { first, log, id, open } = await work('formats');
    const formats = ['text', 'quiet', 'json'];
    const waiting: Running[] = [];
    for (const [index, format] of formats.entries()) {
      waiting.push(parley.start(prompt('--format', format, '-s', 'formats', `run echo answer-${format}`)));
      await logHas(log, id, 'prompt', index + 1);
    }
    open();
    expect((await first.finished).stdout).not.toContain('answer-');
    for (const [index, { finished }] of waiting.entries()) {
      const { code, stdout, stderr } = await finished;
      expect(code, stderr).toBe(0);
      expect(new Set(stdout.match(/answer-\w+/g))).toEqual(new Set([`answer-${formats[index]}`]));
      expect(stdout).not.toContain('gate-');
    }
  });

  it('runs in its order among others, each in the process that asked for it', async () => {
    const { first, log, id, open } = await work('three');
    const waiting: Running[] = [];
    for (const [index, word] of ['one', 'two', 'three'].entries()) {
      waiting.push(parley.start(quiet('-s', 'three', `run echo answer-${word} $PPID`)));
      await logHas(log, id, 'prompt', index + 1);
    }
    open();
    expect((await first.finished).code).toBe(0);
    const answers = await Promise.all(waiting.map(({ finished }) => finished));
    expect(answers.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect((await asked(log, id)).slice(1).map((each) => each.match(/answer-(\w+)/)?.[1])).toEqual([
      'one',
      'two',
      'three',
    ]);
    expect(await endings(log, id)).toEqual(Array(4).fill('end_turn'));
  });

  it('runs in the background with --no-wait, however many there are', async () => {
    const { first, log, id, open } = await work('background');
    const made = ['a', 'b', 'c'].map((each) => join(parley.folder, `made-${each}`));
    for (const file of made) {
      const queued = await parley.run(prompt('--no-wait', '-s', 'background', `run sleep 1; touch ${file}`));
      expect(queued.code, queued.stderr).toBe(0);
    }
    await logHas(log, id, 'prompt', 3);
    open();
    expect((await first.finished).code).toBe(0);
    await logHas(log, id, 'turn_end', 4);
    expect(made.map((file) => existsSync(file))).toEqual([true, true, true]);
    expect(await endings(log, id)).toEqual(Array(4).fill('end_turn'));
  });

  it('runs although the editor whose turn was before it quits at once', async () => {
    const { command, open } = gate();
    const source = spawnAgent(process.execPath, [parley.program, 'agent'], {
      cwd: parley.folder,
      env: parley.env,
      isEnvWhole: true,
      recordsDir: false,
    });
    const editor = await connect(source, { permissions: { ask: () => 'allow' } });
    onTestFinished(() => editor.close());
    const session = await editor.newSession({ cwd: parley.folder });
    const turn = session.prompt(command);
    const log = openLog();
    await logHas(log, session.id, 'turn_start');
    const second = parley.start(quiet('-s', session.id, 'run sleep 2; echo second-answer'));
    await logHas(log, session.id, 'prompt');
    open();
    await turn.result;
    await editor.close();
    expect(await second.finished).toMatchObject({ code: 0, stdout: expect.stringContaining('second-answer') });
    expect(await endings(log, session.id)).toEqual(['end_turn', 'end_turn']);
  });

  it('is reported in the history when the background process that waited was killed', async () => {
    const { first, log, id, open } = await work('killed');
    const queued = await parley.run(prompt('--no-wait', '--format', 'json', '-s', 'killed', 'run echo never'));
    await logHas(log, id, 'prompt');
    process.kill((JSON.parse(queued.stdout) as { pid: number }).pid, 'SIGKILL');
    open();
    expect((await first.finished).code).toBe(0);
    const next = await parley.run(quiet('-s', 'killed', 'run echo next-answer'));
    expect(next).toMatchObject({ code: 0, stdout: expect.stringContaining('next-answer') });
    const history = await parley.run(['sessions', 'history', '-s', 'killed']);
    expect(history.stdout).toContain('run echo never');
    expect(history.stdout).toContain('was gone before its turn began; send the prompt again');
  });
});
