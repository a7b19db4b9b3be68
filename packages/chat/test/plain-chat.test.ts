import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type BuiltProgram, buildProgram } from '@parley/testing/build-program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChatProgramOptions } from './support/chat-program.ts';
import { PtyChat } from './support/pty-chat.ts';

let program: BuiltProgram;
let agent: BuiltProgram;
let cwd: string;

beforeAll(async () => {
  [program, agent, cwd] = await Promise.all([
    buildProgram(new URL('./support/chat-program.ts', import.meta.url)),
    buildProgram(new URL('./support/chat-agent.ts', import.meta.url)),
    mkdtemp(join(tmpdir(), 'parley-plain-')),
  ]);
}, 60_000);

afterAll(async () => {
  await Promise.all([program.remove(), agent.remove(), rm(cwd, { recursive: true, force: true })]);
});

interface Piped {
  readonly output: string;
  readonly exitCode: number | null;
}

/** Pipes lines in and reads everything that comes out. */
function pipe(...lines: readonly string[]): Promise<Piped> {
  return pipeTo([], ...lines);
}

async function pipeTo(agentArgs: readonly string[], ...lines: readonly string[]): Promise<Piped> {
  const options: ChatProgramOptions = {
    command: process.execPath,
    args: [agent.path, ...agentArgs],
    cwd,
    options: { isPlain: true },
  };
  const child = spawn(process.execPath, [program.path, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(lines.map((line) => `${line}\n`).join(''));
  const [output, exitCode] = await Promise.all([
    text(child.stdout),
    new Promise<number | null>((resolve) => child.once('exit', resolve)),
  ]);
  return { output, exitCode };
}

/** Whether the person is asked to write. */
const isInviting = (lines: readonly string[]): boolean => lines.at(-1) === 'you:';

describe('plain mode', () => {
  it('writes who says what, line by line, without anything that a pipe cannot carry', async () => {
    const { output, exitCode } = await pipe('hello', 'edit', 'think');
    expect(exitCode).toBe(0);
    expect(output).not.toMatch(/[^\P{Cc}\n]/u);
    const lines = output.split('\n');
    expect(lines).toContain('you: hello');
    expect(lines).toContain('agent: You said: hello');
    expect(lines).toContain('tool: Edit retry.ts (completed, +1 -1)');
    expect(lines).toContain('    2 + await clock.sleep(100)');
    // The agent ends its plan with the turn; what it was before may have passed between two looks.
    expect(lines).toContain('plan: 2 of 2 done');
    expect(lines.at(-2)).toMatch(/^Resume with: parley resume sess_/);
  });

  it('puts questions with numbers, and takes nothing else for an answer', async () => {
    const { output } = await pipe('ask', 'yes please', '1');
    expect(output).toContain('permission: waiting for you: Remove dist');
    expect(output).toContain('    $ rm -rf dist');
    expect(output).toContain('  1 Allow');
    expect(output).toContain('Type a number from 1 to 4.');
    expect(output).toContain('agent: It was allowed.');
  });

  it('allows nothing when nobody answers', async () => {
    const { output, exitCode } = await pipe('ask');
    expect(output).toContain('agent: It was rejected.');
    expect(exitCode).toBe(0);
  });

  it('asks for the fields of a form one by one', async () => {
    const { output } = await pipe('form', 'x', 'xy', '7', '2', 'yes', '1,3');
    expect(output).toContain('This needs at least 2 characters.');
    expect(output).toContain('{"name":"xy","size":7,"color":"green","fast":true,"parts":["a","c"]}');
  });

  it('lets no agent write a line that looks like one of ours', async () => {
    const { output } = await pipe('evil');
    expect(output).not.toContain('\u001b');
    expect(output.split('\n').filter((line) => line.startsWith('? '))).toEqual([]);
  });

  it('streams every chunk once', async () => {
    const { output } = await pipe('stream 2000');
    const names = [...output.matchAll(/m\d{5}/g)].map(([name]) => name);
    expect(names).toEqual(Array.from({ length: 2000 }, (_, index) => `m${String(index).padStart(5, '0')}`));
  });

  it('changes modes and models by number', async () => {
    const { output } = await pipe('/mode', '2', '/model', '2', '/mode', '2', '/quit');
    expect(output).toContain('question: Mode');
    expect(output).toContain('question: Model');
    expect(output).toContain('  2 large');
  });

  it('ends with a code of its own when the agent dies', async () => {
    const { output, exitCode } = await pipe('die', 'hello');
    expect(exitCode).toBe(6);
    expect(output).toContain('exited with code 7');
  });

  it('gives each line of a pipe a turn of its own, also where the agent listens during turns', async () => {
    const { output, exitCode } = await pipeTo(['steering'], 'stream 200', 'hello', 'again');
    const lines = output.split('\n').filter((line) => /^(you|agent: You)/.test(line));
    expect(lines).toEqual([
      'you: stream 200',
      'you: hello',
      'agent: You said: hello',
      'you: again',
      'agent: You said: again',
    ]);
    expect(exitCode).toBe(0);
  });

  it('sends what is written at a terminal into the turn that runs, where the agent can take it', async () => {
    const options = { isPlain: true };
    const chat = new PtyChat({ program: program.path, agent: agent.path, agentArgs: ['steering'], cwd, options });
    try {
      await chat.see(isInviting);
      chat.type('listen\r');
      await chat.see('agent: Listening.');
      chat.type('use vitest\r');
      await chat.see('note: the agent hears it in this turn');
      await chat.see('Heard: use vitest.');
      chat.type('stop\r');
      await chat.see('Heard: stop.');
      await chat.see(isInviting);
      expect(chat.emulator.lines.filter((line) => line.startsWith('you:'))).toEqual(['you: listen', 'you:']);
      chat.type('\u0004');
      expect(await chat.end()).toBe(0);
    } finally {
      chat.dispose();
    }
  });

  it('keeps what is written at a terminal for the next turn otherwise, and says what Ctrl-C has taken', async () => {
    const chat = new PtyChat({ program: program.path, agent: agent.path, cwd, options: { isPlain: true } });
    try {
      await chat.see(isInviting);
      chat.type('wait\r');
      await chat.see('agent: Waiting for the end.');
      chat.type('second\r');
      await chat.see('note: it is sent when this turn has ended');
      chat.type('/queue\r');
      await chat.see('note: Taken back: second');
      chat.type('third\r');
      await chat.see((lines) => lines.filter((line) => line.includes('when this turn has ended')).length === 2);
      chat.type('\u0003');
      await chat.see('note: not sent: third');
      await chat.see((lines) => isInviting(lines) && lines.some((line) => line.includes('Cancelled')));
      chat.type('ask\r');
      await chat.see('choose:');
      chat.type('1\r');
      await chat.see('agent: It was allowed.');
      // Ctrl-C stops the person's own command, and the chat goes on.
      await chat.see(isInviting);
      chat.type('!!touch begun; exec sleep 60\r');
      await expect.poll(() => existsSync(join(cwd, 'begun')), { timeout: 20_000 }).toBe(true);
      chat.type('\u0003');
      await chat.see('note: not told to the agent');
      chat.type('hello\r');
      await chat.see('agent: You said: hello');
    } finally {
      chat.dispose();
    }
  });

  it('repaints nothing in a terminal either, and stops at Ctrl-C', async () => {
    const chat = new PtyChat({ program: program.path, agent: agent.path, cwd, options: { isPlain: true } });
    try {
      await chat.see('session sess');
      chat.type('wait\r');
      await chat.see('agent: Waiting for the end.');
      chat.type('\u0003');
      await chat.see('note: Cancelled');
      chat.type('hello\r');
      await chat.see('agent: You said: hello');
      chat.type('?\r');
      await chat.see('  /resume: ');
      await chat.see('!command: run it here');
      await chat.see(isInviting);
      chat.type('\u0004');
      expect(await chat.end()).toBe(0);
      expect(chat.emulator.lines.at(-1)).toMatch(/^Resume with: /);
      expect(chat.output).not.toContain('\u001b');
    } finally {
      chat.dispose();
    }
  });
});
