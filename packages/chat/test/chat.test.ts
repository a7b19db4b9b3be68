import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type BuiltProgram, buildProgram } from '@parley/testing/build-program';
import { isRunning } from '@parley/testing/processes';
import { buildScriptedAgent, type Step } from '@parley/testing/scripted-agent';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { INERT_MS } from '../src/dialogs/key-guard.ts';
import { PtyChat, type PtyChatOptions } from './support/pty-chat.ts';

const ESC = '\u001b';
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

let program: BuiltProgram;
let agent: BuiltProgram;
let cwd: string;
const open: PtyChat[] = [];

beforeAll(async () => {
  [program, agent] = await Promise.all([
    buildProgram(new URL('./support/chat-program.ts', import.meta.url)),
    buildProgram(new URL('./support/chat-agent.ts', import.meta.url)),
  ]);
}, 60_000);

afterAll(async () => {
  await Promise.all([program.remove(), agent.remove()]);
});

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'parley-chat-'));
});

afterEach(async () => {
  for (const chat of open.splice(0)) chat.dispose();
  await rm(cwd, { recursive: true, force: true });
});

async function start(options: Partial<PtyChatOptions> = {}): Promise<PtyChat> {
  const chat = new PtyChat({ program: program.path, agent: agent.path, cwd, ...options });
  open.push(chat);
  await chat.see('session sess');
  return chat;
}

/** Types a prompt and waits for what it brings. */
async function prompt(chat: PtyChat, text: string, awaited: string): Promise<void> {
  chat.type(`${text}\r`);
  await chat.see(awaited);
}

/** A question takes no keys at first. */
async function answer(chat: PtyChat, keys: string): Promise<void> {
  await sleep(INERT_MS + 100);
  chat.type(keys);
}

function count(chat: PtyChat, text: string): number {
  return chat.emulator.lines.filter((line) => line.includes(text)).length;
}

/** How often the bell rang; the end of a title is no bell. */
function countBells({ output }: PtyChat): number {
  const [osc, bell] = [`${ESC}]`, '\u0007'];
  return output.split(bell).length - 1 - (output.split(osc).length - 1);
}

/** Every mode that was switched on is off again. */
function expectRestored({ output }: PtyChat): void {
  for (const [on, off] of [
    ['[?2004h', '[?2004l'],
    ['[22;0t', '[23;0t'],
    ['[>5u', '[<u'],
    ['[?25l', '[?25h'],
    ['[?1004h', '[?1004l'],
    ['[?2026h', '[?2026l'],
  ] as const) {
    expect(output).toContain(ESC + on);
    expect(output.lastIndexOf(ESC + off)).toBeGreaterThan(output.lastIndexOf(ESC + on));
  }
}

describe('the chat in a terminal', () => {
  it('loses and doubles nothing while 10,000 chunks stream and the window changes', async () => {
    const chat = await start({ columns: 100, rows: 30 });
    const before = chat.output.length;
    chat.type('stream 10000\r');
    for (const [marker, columns, rows] of [
      ['m01000', 60, 30],
      ['m02500', 60, 20],
      ['m04000', 120, 40],
      ['m05500', 70, 24],
      ['m07000', 90, 24],
      ['m08500', 80, 28],
    ] as const) {
      await chat.see(marker);
      await chat.resize(columns, rows);
    }
    await chat.see(
      (lines) =>
        lines.some((line) => line.includes('m09999')) && lines.at(-1) !== '' && !/Working/.test(lines.join('')),
    );
    const text = chat.emulator.lines.join('\n');
    const names = [...text.matchAll(/m\d{5}/g)].map(([name]) => name);
    expect(names).toEqual(Array.from({ length: 10_000 }, (_, index) => `m${String(index).padStart(5, '0')}`));
    expect(count(chat, '› stream 10000')).toBe(1);
    expect(count(chat, '── Test Agent')).toBe(1);
    const written = chat.output.slice(before);
    expect(written).not.toMatch(/\[[123]J|\[\?1049h|\[H/);
  });

  it('tells what an agent says beside its error', async () => {
    const chat = await start();
    await prompt(chat, 'fail', '! Internal error: the model said no');
  });

  it('takes keys while a long text without a blank line comes, and prints all of it', async () => {
    const chat = await start();
    chat.type('flood 400\r');
    await chat.see('[worker-10]');
    chat.type('written meanwhile');
    await chat.see('› written meanwhile');
    await chat.see('End of the flood.');
    for (const line of [0, 1000, 3000, 6800]) expect(chat.output).toContain(`[worker-${line}]`);
    chat.type('\r');
    await chat.see('You said: written meanwhile');
  });

  it('answers a permission question with a number, and shows exactly what is asked', async () => {
    const chat = await start();
    await prompt(chat, 'ask', 'Waiting for you: Remove dist');
    expect(chat.emulator.lines.join('\n')).toContain('$ rm -rf dist');
    expect(count(chat, 'Remove dist')).toBe(2);
    expect(chat.output).toContain(`${ESC}]2;(1!) Test Agent`);
    await answer(chat, '\r');
    await answer(chat, '1');
    await chat.see('It was allowed.');
    expect(count(chat, 'Waiting for you')).toBe(0);
    expect(count(chat, '→ Allow')).toBe(1);
  });

  it('keeps what is written while a question is open, digits included, and takes none of it for an answer', async () => {
    const chat = await start();
    await prompt(chat, 'ask', 'Waiting for you: Remove dist');
    for (const letter of 'fix 1 of the 2 bugs in 3 files') {
      chat.type(letter);
      await sleep(5);
    }
    await chat.see('› fix 1 of the 2 bugs in 3 files');
    await chat.see('enter rejects and tells the agent why');
    await sleep(INERT_MS + 100);
    chat.type('\u0015');
    await chat.see('number answers');
    expect(count(chat, 'It was')).toBe(0);
    await answer(chat, '1');
    await chat.see('It was allowed.');
  });

  it('rejects with what is written as the reason, which the agent hears next', async () => {
    const chat = await start();
    await prompt(chat, 'ask', 'Waiting for you: Remove dist');
    await answer(chat, `${ESC}[B${ESC}[B`);
    chat.type('no, use vitest');
    await chat.see('› no, use vitest');
    chat.type('\r');
    await chat.see('It was rejected.');
    await chat.see('You said: no, use vitest');
    expect(count(chat, '→ Reject, and said why')).toBe(1);
    await prompt(chat, 'hello', 'You said: hello');
  });

  it('shows answers to a question in the smallest window', async () => {
    const chat = await start({ columns: 24, rows: 5 });
    await prompt(chat, 'ask', '1 Allow');
    expect(chat.emulator.lines.slice(-5).join('\n')).toContain('1 Allow\n');
    expect(chat.emulator.lines.at(-2)).toMatch(/… \d more/);
    await answer(chat, `${ESC}[B${ESC}[B${ESC}[B`);
    await chat.see('3 Reject');
    chat.type('\r');
    await chat.see('It was rejected.');
  });

  it('rejects with the key of the option that says so', async () => {
    const chat = await start();
    await prompt(chat, 'ask', 'Waiting for you');
    const [, number = ''] = /(\d) Reject/.exec(chat.emulator.lines.join('\n')) ?? [];
    await answer(chat, number);
    await chat.see('It was rejected.');
  });

  it('stops a turn with Escape, and the question with it', async () => {
    const chat = await start();
    await prompt(chat, 'wait', 'Waiting for the end.');
    chat.type(ESC);
    await chat.see('Cancelled after');
    await prompt(chat, 'ask', 'Waiting for you');
    chat.type(ESC);
    await chat.see((lines) => lines.filter((line) => line.includes('Cancelled')).length === 2);
    expect(count(chat, 'Waiting for you: Remove')).toBe(0);
    await prompt(chat, 'hello', 'You said: hello');
  });

  it('stops with the first Ctrl-C and leaves with the second, and tells how to come back', async () => {
    const chat = await start();
    await prompt(chat, 'wait', 'Waiting for the end.');
    chat.type(CTRL_C);
    await chat.see('ctrl+c again leaves');
    chat.type(CTRL_C);
    expect(await chat.end()).toBe(0);
    const { lines } = chat.emulator;
    const [, beginning = '?'] = /session (\S+)/.exec(lines.join('\n')) ?? [];
    expect(lines.at(-1)).toContain(`Resume with: parley resume ${beginning}`);
  });

  it('tells how to come back also to whoever leaves while a session is being loaded', async () => {
    const scripted = await buildScriptedAgent();
    const { args } = scripted.command({
      capabilities: { loadSession: true },
      on: { 'session/load': [] },
    });
    const [path = '', ...agentArgs] = args;
    const resume = { id: 'old', agent: 'test', agentSessionId: 'sess-old' };
    const chat = new PtyChat({ program: program.path, agent: path, agentArgs, cwd, options: { resume } });
    open.push(chat);
    await chat.see('Loading the session');
    chat.type(CTRL_D);
    expect(await chat.end()).toBe(0);
    expect(chat.emulator.lines.at(-1)).toBe('Resume with: parley resume sess-old');
    await scripted.remove();
  });

  it('leaves the terminal as it was', async () => {
    const chat = await start({ afterwards: 'stty -a' });
    chat.type(CTRL_D);
    await chat.end();
    expectRestored(chat);
    expect(chat.output).toMatch(/[^-]icanon/);
    expect(chat.output).toMatch(/[^-]echo /);
  });

  it('leaves the terminal as it was when it is ended from outside', async () => {
    const chat = await start();
    process.kill(chat.pid, 'SIGTERM');
    expect(await chat.end()).toBe(143);
    expectRestored(chat);
  });

  it('gives the terminal to the shell on Ctrl-Z, also when npm has started it, and goes on with fg', async () => {
    const chat = await start({
      isJob: true,
      afterwards: 'echo back in the shell; stty -a; fg; echo job ended',
    });
    await prompt(chat, 'hello', 'You said: hello');
    chat.type('\u001a');
    await chat.see('back in the shell');
    await chat.see((lines) => /[^-]icanon/.test(lines.join(' ')));
    await chat.see((lines) => lines.at(-1)?.startsWith('› Message') === true);
    await prompt(chat, 'hello again', 'You said: hello again');
    chat.type(CTRL_D);
    await chat.see('job ended');
    expectRestored(chat);
  });

  it('ends without a crash when the terminal is closed, and takes the agent along', async () => {
    const chat = await start();
    await prompt(chat, 'pid', 'My process is');
    const agentPid = Number(/My process is (\d+)/.exec(chat.emulator.lines.join('\n'))?.[1]);
    expect(() => process.kill(agentPid, 0)).not.toThrow();
    chat.close();
    expect(await chat.signal).toBe(constants.signals.SIGHUP);
    await expect.poll(() => isRunning(agentPid)).toBe(false);
  });

  it('leaves the terminal as it was when it fails, before it tells of the failure', async () => {
    const chat = await start();
    process.kill(chat.pid, 'SIGUSR2');
    expect(await chat.end()).not.toBe(0);
    expectRestored(chat);
    expect(chat.output.indexOf('crashed on purpose')).toBeGreaterThan(chat.output.indexOf(`${ESC}[?2004l`));
  });

  it('leaves at once while the agent is still starting', async () => {
    const chat = new PtyChat({ program: program.path, agent: agent.path, cwd });
    open.push(chat);
    await chat.see('Test Agent');
    chat.type(CTRL_D);
    expect(await chat.end()).toBe(0);
  });

  it('queues what is written while the agent works, and gives it back', async () => {
    const chat = await start();
    await prompt(chat, 'ask', 'Waiting for you');
    await answer(chat, CTRL_C);
    await chat.see('Cancelled');
    await prompt(chat, 'wait', 'Waiting for the end.');
    await prompt(chat, 'second thing', 'queued 1: second thing');
    await prompt(chat, 'third thing', 'queued 2: third thing');
    chat.type(`${ESC}[A`);
    await chat.see('› third thing');
    await chat.see((lines) => !lines.some((line) => line.includes('queued 2')));
    chat.type(' changed');
    chat.type(ESC);
    await chat.see('third thing changed');
    await chat.see((lines) => lines.filter((line) => line.includes('Cancelled')).length === 2);
    chat.type('\r');
    await chat.see('You said: second thing');
    expect(count(chat, 'queued')).toBe(0);
  });

  it('sends into the running turn with enter, queues with tab, and takes either back until the turn has it', async () => {
    const chat = await start({ agentArgs: ['steering'] });
    await prompt(chat, 'wait', 'Waiting for the end.');
    await chat.see('Enter sends into this turn, tab queues');
    await prompt(chat, 'to the turn', 'for this turn: to the turn');
    chat.type('for later\t');
    await chat.see('queued 1: for later');
    chat.type(`${ESC}[A`);
    await chat.see('› for later');
    await chat.see((lines) => !lines.some((line) => line.includes('queued 1')));
    chat.type(ESC);
    await chat.see('Cancelled');
    await chat.see('to the turn');
    await chat.see((lines) => !lines.some((line) => line.includes('for this turn:')));
    chat.type(CTRL_C);
    await prompt(chat, 'listen', 'Listening.');
    await prompt(chat, 'left', 'Heard: left.');
    await prompt(chat, 'stop', 'Heard: stop.');
    expect(count(chat, 'for this turn:')).toBe(0);
  });

  it('keeps what is written before the agent has started, and gives it back too', async () => {
    const chat = new PtyChat({ program: program.path, agent: agent.path, agentArgs: ['slow'], cwd });
    open.push(chat);
    await chat.see('You can write already');
    await prompt(chat, 'too early', 'queued 1: too early');
    chat.type(`${ESC}[A`);
    await chat.see((lines) => lines.at(-1) === '› too early' && !lines.some((line) => line.includes('queued')));
    await prompt(chat, ' for you', 'queued 1: too early for you');
    await writeFile(join(cwd, 'start-now'), '');
    await chat.see('You said: too early for you');
    await rm(join(cwd, 'start-now'));
    await prompt(chat, '/restart', 'You can write already');
    await prompt(chat, 'once more', 'queued 1: once more');
    await writeFile(join(cwd, 'start-now'), '');
    await chat.see('You said: once more');
  });

  it('sends queued prompts one after the other', async () => {
    const chat = await start();
    await prompt(chat, 'stream 600', 'm00100');
    chat.type('hello one\rhello two\r');
    await chat.see('You said: hello two');
    const lines = chat.emulator.lines.join('\n');
    const places = ['m00599', '› hello one', 'You said: hello one', '› hello two'].map((text) => lines.indexOf(text));
    expect(places).toEqual(places.toSorted((left, right) => left - right));
    expect(places[0]).toBeGreaterThan(0);
  });

  it('shows a long paste as one thing and sends all of it', async () => {
    const chat = await start();
    const text = Array.from({ length: 312 }, (_, index) => `pasted line ${index}`).join('\r');
    chat.type(`${ESC}[200~${text}${ESC}[201~`);
    await chat.see('[pasted 312 lines]');
    chat.type('\r');
    await chat.see('pasted line 311');
    expect(count(chat, '… 292 more lines')).toBe(1);
  });

  it('lets no agent draw outside of its place', async () => {
    const chat = await start();
    await prompt(chat, 'evil', 'End of the trick.');
    expect(chat.output).not.toContain(`${ESC}[2J`);
    expect(chat.output).not.toContain('owned\u0007');
    expect(chat.emulator.lines.filter((line) => line.startsWith('?'))).toEqual([]);
    expect(count(chat, 'You said')).toBe(0);
  });

  it('tells once of an agent that writes other things to stdout', async () => {
    const chat = await start();
    await prompt(chat, 'noise', 'Made some noise.');
    await chat.see('no ACP messages');
    await prompt(chat, 'noise', 'Message, / for commands');
    expect(count(chat, 'no ACP messages')).toBe(1);
    expect(count(chat, 'Welcome to the agent')).toBe(0);
  });

  it('shows edits as diffs and commands with the end of their output', async () => {
    const chat = await start();
    await prompt(chat, 'edit', 'Edited.');
    expect(chat.emulator.lines).toContain('✓ Edit retry.ts +1 -1');
    expect(chat.emulator.lines).toContain('    2 + await clock.sleep(100)');
    await prompt(chat, 'run', 'Counted.');
    expect(chat.emulator.lines).toContain('✓ Count exit 3');
    expect(chat.emulator.lines).toContain('    row 9');
    expect(count(chat, 'row 2')).toBe(0);
    expect(chat.emulator.hasColor('row 9')).toBe(true);
    chat.type('\u000f');
    await chat.see('row 2');
  });

  it('folds thoughts until they are asked for, and shows plan and usage', async () => {
    const chat = await start();
    await prompt(chat, 'think', 'Thought about it.');
    await chat.see('Inject a clock');
    await chat.see((lines) => !lines.some((line) => line.includes('Plan 1/2')));
    expect(count(chat, 'Secret considerations')).toBe(0);
    expect(count(chat, '41% ctx')).toBe(1);
    chat.type('\u0014');
    await chat.see('Secret considerations.');
  });

  it('asks for the fields of a form', async () => {
    const chat = await start();
    await prompt(chat, 'form', 'Name 1 of 5');
    await answer(chat, 'x\r');
    await chat.see('at least 2 characters');
    chat.type('y\r');
    await chat.see('Size');
    chat.type('12\r');
    await chat.see('at most 9');
    chat.type('\u007f\u007f7\r');
    await chat.see('Color');
    chat.type('2');
    await chat.see('Fast');
    chat.type('y');
    await chat.see('Parts');
    chat.type('13\r');
    await chat.see('send the answers?');
    chat.type('1');
    await chat.see('Answer:');
    const text = chat.emulator.lines.join('').replace(/\s+/g, '');
    expect(text).toContain('"name":"xy","size":7,"color":"green","fast":true,"parts":["a","c"]');
  });

  it('switches modes and options, and shows which', async () => {
    const chat = await start();
    await chat.see('Ask (shift+tab)');
    chat.type(`${ESC}[Z`);
    await chat.see('Code (shift+tab)');
    await prompt(chat, '/model', 'esc closes');
    chat.type('2');
    await chat.see('· large ·');
  });

  it('holds a mistyped command back once, and says which one may be meant', async () => {
    const chat = await start();
    // The agent lists its commands at some time after its start.
    chat.type('/rev');
    await chat.see('Review the changes');
    await prompt(chat, 'iw', 'There is no command /reviw. Did you mean /review?');
    await chat.see((lines) => lines.at(-1) === '› /reviw');
    expect(count(chat, 'You said')).toBe(0);
    chat.type('\r');
    await chat.see('You said: /reviw');
  });

  it('picks the mode with /mode, typed in full', async () => {
    const chat = await start();
    await prompt(chat, '/mode', '1 Ask   2 Code');
    chat.type('2');
    await chat.see('Code (shift+tab)');
  });

  it('completes commands and files, and sends the files along', async () => {
    await writeFile(join(cwd, 'notes.txt'), 'some notes');
    const chat = await start();
    chat.type('/rev');
    await chat.see('Review the changes');
    chat.type('\t');
    await chat.see('› /review');
    chat.type('\u0015files @not');
    await chat.see('  notes.txt');
    chat.type('\t\r');
    await chat.see('Got: text, resource');
  });

  it('refuses an image before sending when the agent takes none, and keeps the text', async () => {
    await writeFile(join(cwd, 'shot.png'), 'not really');
    const chat = await start();
    await prompt(chat, 'see @shot.png please', 'takes no images');
    await chat.see((lines) => lines.at(-1) === '› see @shot.png please');
  });

  it('finds earlier prompts again, in this chat and the next', async () => {
    const historyFile = join(cwd, 'history');
    const first = await start({ historyFile });
    await prompt(first, 'hello there', 'You said: hello there');
    await prompt(first, 'something else', 'You said: something else');
    first.type(`${ESC}[A${ESC}[A`);
    await first.see((lines) => lines.at(-1) === '› hello there');
    first.type('\u0015');
    await first.see((lines) => lines.at(-1)?.startsWith('› Message') === true);
    first.type(CTRL_D);
    await first.end();
    const second = await start({ historyFile });
    second.type('\u0012hello');
    await second.see('search: hello  hello there');
    second.type('\t');
    await second.see((lines) => lines.at(-1) === '› hello there');
  });

  it('rings for a question and for the end of a long turn, while another window is in front', async () => {
    const chat = await start({ options: { notify: { by: 'bell', afterMs: 50 } } });
    await prompt(chat, 'stream 600', 'm00599');
    await chat.see('Message, / for commands');
    expect(countBells(chat)).toBe(0);
    chat.type(`${ESC}[O`);
    await prompt(chat, 'stream 601', 'm00600');
    await chat.see('Message, / for commands');
    expect(countBells(chat)).toBe(1);
    await prompt(chat, 'ask', 'Waiting for you');
    expect(countBells(chat)).toBe(2);
    chat.type(`${ESC}[I`);
    await answer(chat, '1');
    await chat.see('It was allowed.');
    await chat.see('Message, / for commands');
    expect(countBells(chat)).toBe(2);
  });

  it('does not ring for a short turn', async () => {
    const chat = await start({ options: { notify: { by: 'bell', afterMs: 600_000 } } });
    await prompt(chat, `${ESC}[Ohello`, 'You said: hello');
    await chat.see('Message, / for commands');
    expect(countBells(chat)).toBe(0);
  });

  it('does not ring for a turn that a queued prompt follows', async () => {
    const chat = await start({ options: { notify: { by: 'bell', afterMs: 50 } } });
    // Both at once: a busy machine may be done with the first before a test that watches it has typed the second.
    chat.type(`${ESC}[Ostream 900\rstream 901\r`);
    await chat.see('m00900');
    await chat.see('Message, / for commands');
    await chat.see(() => countBells(chat) > 0);
    expect(countBells(chat)).toBe(1);
  });

  it('shows a message instead where that is wanted and known, and is silent where that is wanted', async () => {
    const env = { TERM_PROGRAM: 'WezTerm' };
    const loud = await start({ options: { notify: { by: 'osc' } }, env });
    await prompt(loud, `${ESC}[Oask`, 'Waiting for you');
    expect(loud.output).toContain(`${ESC}]9;Parley: Test Agent: waiting for you\u0007`);
    const silent = await start({ options: { notify: { by: 'off' } }, env });
    await prompt(silent, `${ESC}[Oask`, 'Waiting for you');
    expect(countBells(silent)).toBe(0);
    expect(silent.output).not.toMatch(/\[\?1004h|\]9;/);
  });

  it('colours code and diffs by their language, for the background that the terminal tells', async () => {
    const chat = await start();
    expect(chat.output).toContain(`${ESC}]11;?`);
    await prompt(chat, 'code', 'That was code.');
    await chat.see((lines) => lines.at(-1)?.includes('Message') === true);
    // The highlighter comes late; the second time it is there.
    await prompt(chat, 'code', 'That was code.');
    await chat.see((lines) => lines.filter((line) => line.includes('That was code.')).length === 2);
    expect(chat.output).toContain(`${ESC}[35mconst`);
    // A terminal answers at once; what comes late is not taken for its answer.
    const light = new PtyChat({ program: program.path, agent: agent.path, cwd });
    open.push(light);
    await light.see(() => light.output.includes(`${ESC}]11;?`));
    light.type(`${ESC}]11;rgb:fafa/fafa/fafa\u0007`);
    await light.see('session sess');
    await prompt(light, 'edit', 'Edited.');
    expect(light.output).toContain('48;5;194');
    expect(light.output).not.toContain(']11;rgb');
    expect(light.emulator.lines.join('\n')).toMatch(/- await sleep\(100\)\n.*\+ await clock.sleep\(100\)/);
  });

  it('takes the keys of vi where they are wanted, and says in which mode it is', async () => {
    const chat = await start({ options: { keys: 'vim' } });
    await chat.see('INSERT');
    chat.type('hello world');
    await chat.see('› hello world');
    chat.type(`${ESC}bcwthere${ESC}0`);
    await chat.see('NORMAL');
    await chat.see('› hello there');
    chat.type('ioh \r');
    await chat.see('You said: oh hello there');
    await prompt(chat, 'wait', 'Waiting for the end.');
    chat.type(`${ESC}`);
    await chat.see('NORMAL');
    chat.type(`${ESC}`);
    await chat.see('Cancelled after');
  });

  it('takes an image out of the clipboard, and sends it where the agent takes images', async () => {
    const bin = join(cwd, 'bin');
    await mkdir(bin);
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await writeFile(join(bin, 'xclip'), `#!/bin/sh\necho ${png} | base64 -d\n`, { mode: 0o755 });
    const env = { PATH: `${bin}:${process.env.PATH ?? ''}` };
    const chat = await start({ env, agentArgs: ['images'] });
    chat.type('files \u0016');
    await chat.see('image-1.png');
    chat.type('\r');
    await chat.see('Got: text, image');
  });

  it('uses no colours under NO_COLOR', async () => {
    const chat = await start({ env: { NO_COLOR: '1' } });
    await prompt(chat, 'run', 'Counted.');
    expect(chat.output).not.toMatch(/\[[\d;]*\b(3[0-9]|4[0-9]|9[0-7])\b[\d;]*m/);
  });

  it('shows nothing but ASCII of its own where the locale has no more', async () => {
    const chat = await start({ env: { LANG: 'C' } });
    await prompt(chat, 'think', 'Thought about it.');
    await prompt(chat, 'ask', 'Waiting for you');
    expect(chat.output).toMatch(/^\p{ASCII}*$/u);
  });

  it('says what to do first to whoever has never written anything', async () => {
    const historyFile = join(cwd, 'history');
    const first = await start({ historyFile });
    await first.see('Write what you want done and press enter.');
    await prompt(first, 'hello', 'You said: hello');
    first.type(CTRL_D);
    await first.end();
    const second = await start({ historyFile });
    await second.see('Message, / for commands');
    expect(count(second, 'Write what you want done')).toBe(0);
  });

  it('writes nothing while nothing happens', async () => {
    const chat = await start();
    await prompt(chat, 'hello', 'You said: hello');
    await chat.see('Message, / for commands');
    // A busy machine may draw the last frame late; then it is silent.
    let before = -1;
    for (let tries = 0; tries < 10 && chat.output.length !== before; tries += 1) {
      before = chat.output.length;
      await sleep(700);
    }
    expect(chat.output.length).toBe(before);
  });

  it('offers the ways to log in when the agent wants that', async () => {
    const chat = new PtyChat({ program: program.path, agent: agent.path, agentArgs: ['login'], cwd });
    open.push(chat);
    await chat.see('Test Agent wants you to log in');
    chat.type('2');
    await chat.see('session sess');
    await prompt(chat, 'hello', 'You said: hello');
  });

  it('leaves by Ctrl-D, and by a signal, while it asks how to log in', async () => {
    const ask = async (): Promise<PtyChat> => {
      const chat = new PtyChat({ program: program.path, agent: agent.path, agentArgs: ['login'], cwd });
      open.push(chat);
      await chat.see('Test Agent wants you to log in');
      return chat;
    };
    const [left, ended] = await Promise.all([ask(), ask()]);
    // Letters narrow the list, and then the key is for them.
    left.type(`key${CTRL_D}`);
    await left.see('wants you to log in  key');
    left.type(`\u0015${CTRL_D}`);
    process.kill(ended.pid, 'SIGTERM');
    expect(await Promise.all([left.end(), ended.end()])).toEqual([0, 143]);
    expectRestored(left);
  });

  it('tells the dialect of the agent, and asks for the secret that its login wants without showing it', async () => {
    const pharo = fileURLToPath(new URL('../../cli/test/dialects/peers/pharo-agent.mjs', import.meta.url));
    const chat = new PtyChat({ program: program.path, agent: pharo, cwd, connect: { dialect: 'auto' } });
    open.push(chat);
    await chat.see('Test Agent wants you to log in');
    chat.type('1');
    await chat.see('enter sends it');
    chat.type('secret_key_here');
    await chat.see('***************');
    chat.type('\r');
    await chat.see('session sess');
    expect(chat.output).not.toContain('secret_key_here');
  });

  it('tries the login that the flags say, and offers all of them as long as one fails', async () => {
    const connect = { auth: { method: 'broken' } };
    const chat = new PtyChat({ program: program.path, agent: agent.path, agentArgs: ['login'], cwd, connect });
    open.push(chat);
    const sees = (failures: number) =>
      chat.see(
        (lines) =>
          lines.filter((line) => line.includes('login did not succeed')).length === failures &&
          lines.some((line) => line.includes('wants you to log in')),
      );
    await sees(1);
    chat.type('3');
    await sees(2);
    chat.type('1');
    await chat.see('session sess');
    await prompt(chat, 'hello', 'You said: hello');
  });

  it('goes on with a session that the agent has kept, and shows what was said in it', async () => {
    const scripted = await buildScriptedAgent();
    const tell = (sessionUpdate: string, text: string): Step => ({
      do: 'update',
      update: { sessionUpdate, content: { type: 'text', text } },
    });
    const { args } = scripted.command({
      capabilities: { loadSession: true },
      on: {
        'session/load': [
          tell('user_message_chunk', 'an old question'),
          tell('agent_message_chunk', 'an old answer'),
          { do: 'respond', result: {} },
        ],
      },
    });
    const [path = '', ...agentArgs] = args;
    const chat = new PtyChat({
      program: program.path,
      agent: path,
      agentArgs,
      cwd,
      options: { resume: { id: 'sess-old', agent: 'test', agentSessionId: 'sess-old' } },
    });
    open.push(chat);
    await chat.see('  an old answer');
    expect(count(chat, '› an old question')).toBe(1);
    await prompt(chat, 'and now', 'You said: and now');
    await scripted.remove();
  });

  it('tells how the agent ended, and starts it again', async () => {
    const chat = await start();
    await prompt(chat, 'die', 'Your next prompt starts the agent again');
    const told = chat.emulator.lines.join('\n');
    const places = ['› die', 'Last words.', 'exited with code 7', 'Your next prompt'].map((text) => told.indexOf(text));
    expect(places).toEqual(places.toSorted((left, right) => left - right));
    expect(places[0]).toBeGreaterThan(0);
    await prompt(chat, 'hello again', 'You said: hello again');
    expect(chat.emulator.lines.join('\n')).toContain('so this is a new one');
    expect(count(chat, '1.0.0, session sess')).toBe(2);
    await prompt(chat, '/restart', 'so this is a new one');
    await chat.see((lines) => lines.filter((line) => line.includes('1.0.0, session sess')).length === 3);
  });
});
