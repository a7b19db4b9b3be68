import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { LineFormat } from './format.ts';
import { FORMATS, type FormatName } from './formats/index.ts';
import { behaviourOf, playTurn } from './play-turn.ts';
import { type Invocation, readArguments } from './read-arguments.ts';
import { type FakeSessions, openSessions } from './sessions.ts';

export interface CommandLineOptions {
  readonly format: FormatName;
  /** Where it keeps sessions, and `calls.jsonl`: how it was called and what it was told. */
  readonly folder: string;
}

interface Running {
  readonly format: LineFormat;
  readonly invocation: Invocation;
  readonly sessions: FakeSessions;
  readonly log: (entry: object) => void;
}

/** Does what the program would, and resolves with its exit code. */
export async function runCommandLine(
  { format: name, folder }: CommandLineOptions,
  argv: readonly string[],
): Promise<number> {
  const format = FORMATS[name];
  const sessions = openSessions(folder);
  const log = (entry: object) => appendFileSync(join(folder, 'calls.jsonl'), `${JSON.stringify(entry)}\n`);
  log({ pid: process.pid, argv, cwd: process.cwd() });
  try {
    const running = { format, invocation: readArguments(format.usage, argv), sessions, log };
    return await (running.invocation.readsLines ? runOpen(running) : runOnce(running));
  } catch (error) {
    process.stderr.write(`error: ${(error as Error).message}\n`);
    return 2;
  }
}

/** One prompt, by argument or all of stdin. */
async function runOnce(running: Running): Promise<number> {
  const prompt = running.invocation.prompt ?? (await text(process.stdin)).replace(/\n$/, '');
  if (prompt === '') throw new Error('there is no prompt');
  const turn = beginTurn(running, prompt, running.invocation.sessionId ?? randomUUID(), running.invocation.isResumed);
  return await playTurn({
    ...running,
    turn,
    write,
    ask: () => Promise.resolve(true),
    signal: new AbortController().signal,
  });
}

/** Prompts, answers and interruptions as lines on stdin, until that ends. */
async function runOpen(running: Running): Promise<number> {
  const { format, invocation, log } = running;
  const sessionId = invocation.sessionId ?? randomUUID();
  const questions = new Map<string, (isAllowed: boolean) => void>();
  let mustExist = invocation.isResumed;
  let interrupt: AbortController | undefined;
  let turns: Promise<number> = Promise.resolve(0);
  for await (const line of createInterface({ input: process.stdin })) {
    log({ line });
    const heard = format.hear?.(JSON.parse(line) as Record<string, unknown>) ?? { type: 'other' };
    if (heard.type === 'answer') questions.get(heard.id)?.(heard.isAllowed);
    if (heard.type === 'reply') await write(`${JSON.stringify(heard.line)}\n`);
    if (heard.type === 'interrupt') {
      await write(`${JSON.stringify(heard.reply)}\n`);
      interrupt?.abort();
    }
    if (heard.type !== 'prompt') continue;
    const turn = beginTurn(running, heard.text, sessionId, mustExist);
    mustExist = true;
    const controller = new AbortController();
    interrupt = controller;
    turns = turns.then(async () => {
      const code = await playTurn({
        ...running,
        turn,
        write,
        signal: controller.signal,
        ask: async (question) => {
          const answered = new Promise<boolean>((resolve) => {
            questions.set((question as { readonly request_id: string }).request_id, resolve);
            controller.signal.addEventListener('abort', () => resolve(false));
          });
          await write(`${JSON.stringify(question)}\n`);
          return await answered;
        },
      });
      if (controller.signal.aborted) {
        await write(
          `${format
            .fail(turn, 'interrupted')
            .map((failed) => JSON.stringify(failed))
            .join('\n')}\n`,
        );
      }
      // A program that reads lines goes on after a turn, unless it died of it.
      if (code !== 0 || ['noResult', 'saysNothing', 'halfLine'].includes(behaviourOf(turn.prompt))) process.exit(code);
      return code;
    });
  }
  return await turns;
}

function beginTurn({ invocation, sessions }: Running, prompt: string, sessionId: string, mustExist: boolean) {
  const number = sessions.addTurn(sessionId, prompt, { mustExist });
  let ids = 0;
  const newId = () => `id_${number}_${++ids}`;
  return { sessionId, prompt, number, cwd: process.cwd(), hasPieces: invocation.hasPieces, newId };
}

function write(data: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(data, () => resolve()));
}
