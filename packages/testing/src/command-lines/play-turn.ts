import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import type { FakeToolCall, FakeTurn, LineFormat } from './format.ts';

/** What a command line does, by the word after `do:` in the prompt. Without one it does well. */
export const BEHAVIOURS = [
  'well',
  'dies',
  'hangs',
  'floods',
  'halfLine',
  'wrongJson',
  'noResult',
  'twoResults',
  'stderrOnly',
  'ignoresTerm',
  'hugeLine',
  'resultOnly',
  'exitsAfterResult',
  'lingersAfterResult',
  'asks',
  'fails',
  'saysNothing',
  'splitsBytes',
  'leavesChildren',
] as const;

export type Behaviour = (typeof BEHAVIOURS)[number];

/** How many pieces a flood has, and how many characters the text of a huge line. */
export const FLOOD_PIECES = 20_000;
export const HUGE_CHARS = 4_000_000;

/** What a turn that goes well says, before the answer. */
export const SAID = 'I will run it. ';
export const THOUGHT = 'I need the shell.';
export const answerTo = ({ number, prompt }: Pick<FakeTurn, 'number' | 'prompt'>): string =>
  `Turn ${number}: ${prompt}`;

export interface PlayOptions {
  readonly format: LineFormat;
  readonly turn: FakeTurn;
  readonly write: (text: string) => Promise<void>;
  readonly log: (entry: object) => void;
  /** Asks on stdout and resolves with what came on stdin. */
  readonly ask: (question: object, id: string) => Promise<boolean>;
  /** When the turn is to stop, in a process that stays. */
  readonly signal: AbortSignal;
}

/** Writes one turn, and does what the prompt tells it to do wrong. Resolves with the exit code. */
export async function playTurn({ format, turn, write, log, ask, signal }: PlayOptions): Promise<number> {
  const send = (lines: readonly object[]) => write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const call: FakeToolCall = {
    id: `call_${turn.number}`,
    name: format.shell,
    input: { command: 'echo made' },
    output: 'made',
    isError: false,
  };
  const answer = answerTo(turn);
  const pieces = answer.match(/.{1,8}/gsu) ?? [];
  const begin = [...format.begin(turn), ...format.thought(turn, THOUGHT), ...format.text(turn, [SAID])];
  const start = format.toolStart(turn, call);
  const work = [...start, ...format.toolEnd(turn, call), ...format.text(turn, pieces)];
  const end = format.end(turn, answer);
  const whole = [...begin, ...work, ...end];
  switch (behaviourOf(turn.prompt)) {
    case 'well':
      await send(whole);
      return 0;
    case 'dies':
      await send([...begin, ...start]);
      process.stderr.write('fatal: out of memory\n');
      return 3;
    case 'hangs':
      await send([...begin, ...start]);
      await forever(signal);
      return 0;
    case 'ignoresTerm':
      for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => undefined);
      await send([...begin, ...start]);
      await forever(new AbortController().signal);
      return 0;
    case 'leavesChildren': {
      const code = 'process.on("SIGTERM", () => {}); console.error("ready"); setInterval(() => {}, 60_000)';
      const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'inherit', 'pipe'] });
      await new Promise((resolve) => child.stderr.once('data', resolve));
      log({ child: child.pid });
      await send([...begin, ...start]);
      await forever(signal);
      return 0;
    }
    case 'floods':
      await send(begin);
      for (let done = 0; done < FLOOD_PIECES; done += 100) {
        await send(Array.from({ length: 100 }, () => format.text(turn, ['word '])).flat());
      }
      await send(end);
      return 0;
    case 'halfLine':
      await write(whole.map((line) => JSON.stringify(line)).join('\n'));
      return 0;
    case 'wrongJson':
      await send(begin);
      await write('{"type":"text","text":\nLoading plugins …\n\n42\nnull\n[1,2]\n"text"\n{}\n\u0000\u0001\n');
      await send([...work, ...end]);
      return 0;
    case 'noResult':
      await send([...begin, ...work]);
      return 0;
    case 'twoResults':
      await send([...whole, ...end]);
      return 0;
    case 'stderrOnly':
      process.stderr.write('Error: no API key found\n');
      return 1;
    case 'hugeLine':
      await send([...begin, ...format.text(turn, ['x'.repeat(HUGE_CHARS)]), ...end]);
      return 0;
    case 'resultOnly':
      await send([...format.begin(turn), ...end]);
      return 0;
    case 'exitsAfterResult':
      await send(whole);
      return 1;
    case 'lingersAfterResult':
      await send(whole);
      await forever(signal);
      return 0;
    case 'asks': {
      await send([...begin, ...start]);
      const isAllowed = format.ask === undefined || (await ask(format.ask(turn, call), call.id));
      if (signal.aborted) return 0;
      const outcome = isAllowed ? call : { ...call, isError: true, output: 'The person said no.' };
      await send([...format.toolEnd(turn, outcome), ...format.text(turn, pieces), ...end]);
      return 0;
    }
    case 'fails':
      await send([...begin, ...format.fail(turn, 'the model is overloaded')]);
      process.stderr.write('the model is overloaded\n');
      return 1;
    case 'saysNothing':
      return 0;
    case 'splitsBytes': {
      const bytes = Buffer.from(whole.map((line) => `${JSON.stringify(line)}\n`).join(''));
      for (let at = 0; at < bytes.length; at += 61) {
        process.stdout.write(bytes.subarray(at, at + 61));
        if (at % 610 === 0) await wait(1);
      }
      await write('');
      return 0;
    }
  }
}

export function behaviourOf(prompt: string): Behaviour {
  // The last one: in a prompt with the history before it, the earlier turns are done.
  const word = prompt.match(/.*\bdo:(\w+)/s)?.[1];
  return BEHAVIOURS.find((behaviour) => behaviour === word) ?? 'well';
}

function forever(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => undefined, 60_000);
    signal.addEventListener('abort', () => {
      clearInterval(timer);
      resolve();
    });
  });
}
