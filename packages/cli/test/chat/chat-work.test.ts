import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { needs, PROC } from '@parley/testing/needs';
import { PtyProgram, type PtyProgramOptions } from '@parley/testing/pty-program';
import { type AgentScript, sayAndEnd } from '@parley/testing/scripted-agent';
import { afterEach, describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';

const parley = useParley();
const open: PtyProgram[] = [];

afterEach(() => {
  for (const chat of open.splice(0)) chat.dispose();
});

function start(
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  options: Partial<PtyProgramOptions> = {},
): PtyProgram {
  const chat = new PtyProgram({
    ...options,
    cwd: parley.folder,
    columns: 100,
    rows: 40,
    command: [process.execPath, parley.program, ...args],
    env: { ...parley.env, ...env },
  });
  open.push(chat);
  return chat;
}

/** The last line but one is the status. */
const statusOf = (lines: readonly string[]): string => lines.findLast((line) => line.startsWith('── ')) ?? '';

async function say(chat: PtyProgram, text: string, awaited: string): Promise<void> {
  chat.type(`${text}\r`);
  await chat.see(awaited);
}

const echo = (sessionId: string): AgentScript => ({
  on: {
    'session/new': [{ do: 'respond', result: { sessionId } }],
    'session/prompt': sayAndEnd('heard: $prompt'),
  },
});

describe('a chat with our own agent', () => {
  it('goes through ask, accept edits and plan, runs commands of the person, shows all changes, goes back, and changes sessions and agents', async () => {
    const file = join(parley.folder, 'notes.md');
    writeFileSync(file, 'one\ntwo\nthree\n');
    const chat = start();
    // The id that `sessions list` shows, not the agent's own.
    await chat.see((lines) => lines.some((line) => /, session [0-9a-f]{10}$/.test(line.trimEnd())));
    await chat.see((lines) => statusOf(lines).includes('asks (shift+tab)'));

    chat.type('\u001b[Z');
    await chat.see((lines) => /accepts edits \(shift\+tab\).*edits files here unasked/.test(statusOf(lines)));

    await say(chat, 'replace "two" with "zwei" in notes.md', 'Done: replace');
    await say(chat, 'replace "zwei" with "deux" in notes.md', 'Done: replace "zwei"');
    expect(readFileSync(file, 'utf8')).toBe('one\ndeux\nthree\n');

    await say(chat, '/diff', '1 file changed by tools in this session, +1 -1');
    const shown = chat.emulator.lines.slice(
      chat.emulator.lines.findLastIndex((line) => line.includes('in this session')),
    );
    expect(shown.join('\n')).toMatch(/- two\n.*\+ deux/);
    expect(shown.join('\n')).not.toContain('zwei');

    await say(chat, '!echo from-the-person; exit 3', 'exit 3 · the agent hears of it with your next prompt');
    await say(chat, '!!echo private', 'not told to the agent');

    chat.type('/rewind\r');
    await chat.see('? Go back to before');
    chat.type('zwei');
    chat.type('\r');
    await chat.see('? What goes back?');
    chat.type('2');
    await chat.see('Put back as before: notes.md.');
    expect(readFileSync(file, 'utf8')).toBe('one\nzwei\nthree\n');
    await chat.see((lines) => lines.at(-1) === '› replace "zwei" with "deux" in notes.md');
    chat.type('\u0015');
    await say(chat, '/rewind', '? Go back to before');
    const prompts = chat.emulator.screen.filter((line) => /^ {2}\d replace/.test(line));
    expect(prompts).toHaveLength(1);
    chat.type('\u001b');

    await say(chat, `/agent ${parley.agent(echo('first'))}`, 'It knows nothing of what');
    chat.type('hello\r');
    await chat.see((lines) => lines.includes('  hello'));
    chat.type('/resume\r');
    await chat.see('? Go on with');
    chat.type('1');
    await chat.see((lines) => statusOf(lines).includes('Parley'));
    await chat.see((lines) => lines.filter((line) => line.includes('› replace "two" with "zwei"')).length > 1);
    chat.type('\u0004');
    expect(await chat.end()).toBe(0);
  });
});

describe('a chat with another agent', () => {
  it('tells it what the person has run, and judges what it asks by our own mode', async () => {
    // Another agent, which counts its sessions in the same way.
    const chat = start(['--agent', parley.agent({ ...echo('first'), capabilities: {} })]);
    await chat.see((lines) => lines.some((line) => /, session [0-9a-f]{10}$/.test(line.trimEnd())));
    await chat.see((lines) => statusOf(lines).includes('asks (shift+tab)'));
    await say(chat, '/rename too soon', 'Nothing was said yet, so there is nothing to keep.');
    await say(chat, '!printf "a result"', 'hears of it');
    await say(chat, 'what came out?', 'heard: I have run this command here:');
    await chat.see('a result');
    await say(chat, '/session', "The agent's own id of it: first");
    const [, id = ''] =
      /Session (\w+)\. Resume it with: parley sessions resume \1\b/.exec(chat.emulator.lines.join('\n')) ?? [];
    await say(chat, '/rename A result', 'This session is called: A result');
    const listed = (await parley.run(['sessions', 'list'])).stdout
      .split('\n')
      .find((line) => line.includes('A result'));
    expect(id).not.toBe('');
    expect(listed).toContain(id);
    chat.type('\u001b[Z\u001b[Z');
    await chat.see((lines) => statusOf(lines).includes('runs nothing (shift+tab)'));
    await say(chat, '/rewind', '? Go back to before');
    chat.type('1');
    await chat.see('This agent cannot go back in a conversation');
    chat.type('\u001b');
    chat.type('\u0016');
    await chat.see((lines) => /takes no\s+images/.test(lines.join(' ')));
  });
});

/** Says of everything that is made in it that the folder is not there. */
const TAKES_NOTHING = '/proc/sys';

describe('a chat whose home takes nothing', needs(PROC), () => {
  const env = { HOME: TAKES_NOTHING, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '' };

  it('goes on with another agent and says once that it is not kept, and with ours says what to do', async () => {
    // The shell around it waits, so that its last words are read.
    const own = start([], env, { afterwards: 'exec sleep 600' });
    const chat = start(['--agent', parley.agent(echo('third'))], env);
    await chat.see((lines) => statusOf(lines).includes('asks (shift+tab)'));
    await say(chat, 'hello', 'heard: hello');
    await say(chat, 'again', 'heard: again');
    await chat.see('This chat is not kept.');
    await say(chat, '/session', "The agent's own id of it: third");
    expect(chat.emulator.lines.filter((line) => line.includes('not kept'))).toHaveLength(1);
    chat.type('\u0004');
    expect(await chat.end()).toBe(0);
    await own.see('try: export XDG_STATE_HOME=');
  });
});
