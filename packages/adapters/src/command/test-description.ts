import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { type CommandContext, usageError } from '@parley/host/command-line';
import { eventToV1, type SessionEvent } from '@parley/session';
import { cleanText, createStyles, hasColor } from '@parley/terminal';
import { readRecorded } from '../replay/recorded-lines.ts';
import { type Replay, type ReplayedLine, replayLines } from '../replay/replay-lines.ts';
import { findDescription } from './find-description.ts';

export interface TestDescriptionOptions {
  readonly word: string;
  readonly samples: readonly string[];
  readonly json?: boolean;
  readonly strict?: boolean;
}

/** Replays samples against a description and prints what became of each line; resolves to the exit code. */
export async function testDescription(options: TestDescriptionOptions, context: CommandContext): Promise<number> {
  const { word, json = false, strict = false } = options;
  const { description, file } = await findDescription(word, context);
  const samples = await readSamples(options, file, context);
  let isFine = true;
  for (const { name, lines } of samples) {
    const replay = replayLines(description, lines);
    const unseen = replay.lines.filter(({ seenBy }) => seenBy.length === 0);
    const hasTold = replay.lines.some(({ events }) => events.length > 0);
    isFine &&= hasTold && (!strict || unseen.length === 0);
    if (json) printJson(name, replay, context);
    else print(name, replay, context);
  }
  return isFine ? 0 : 1;
}

interface Sample {
  readonly name: string;
  readonly lines: readonly string[];
}

async function readSamples(
  { samples }: TestDescriptionOptions,
  file: string,
  context: CommandContext,
): Promise<readonly Sample[]> {
  const beside = file.replace(/\.json$/, '.sample.jsonl');
  const names = samples.length > 0 ? samples : existsSync(beside) ? [beside] : [];
  if (names.length === 0)
    throw usageError(
      `There is no sample beside ${file}; name one, or record it.`,
      'parley adapt record -o <description> -- <command>',
      '<command> | parley adapt test <description> -',
    );
  return Promise.all(names.map(async (name) => ({ name, lines: readRecorded(await readSample(name, context)) })));
}

async function readSample(name: string, { cwd, stdin }: CommandContext): Promise<string> {
  if (name === '-') return text(stdin);
  try {
    return await readFile(resolve(cwd, name), 'utf8');
  } catch (error) {
    throw usageError(`The sample ${name} cannot be read: ${(error as Error).message}`);
  }
}

function print(name: string, replay: Replay, context: CommandContext): void {
  const { dim, good, bad } = createStyles(hasColor(context, context.stdout));
  const say = (line: string): void => void context.stdout.write(`${line}\n`);
  for (const [index, line] of replay.lines.entries()) {
    const seen = line.seenBy.length > 0 ? line.seenBy.join(', ') : line.isJson ? bad('nothing') : bad('no JSON');
    say(`${dim(`${name}:${index + 1}`)}  ${seen}  ${dim(shorten(line.text))}`);
    for (const event of line.events) say(`  ${good('->')} ${describe(event)}`);
  }
  for (const event of replay.atEnd) say(`  ${good('at the end ->')} ${describe(event)}`);
  const unseen = numbersOf(replay.lines, (line) => line.seenBy.length === 0);
  say('');
  say(`${replay.lines.length} lines, ${replay.lines.length - unseen.length} seen.`);
  if (unseen.length > 0) say(`${bad('seen by nothing:')} lines ${unseen.join(', ')}`);
  if (replay.idle.length > 0) say(`${dim('saw no line:')} ${replay.idle.join(', ')}`);
  say(replay.sessionId === undefined ? dim('no session id was found') : `session of the command: ${replay.sessionId}`);
  if (!replay.hasResult) say(dim('no result was found: the turn ends with the process'));
  if (replay.error !== undefined) say(`${bad('the turn fails:')} ${cleanText(replay.error)}`);
}

function printJson(sample: string, { lines, atEnd, ...rest }: Replay, { stdout }: CommandContext): void {
  for (const [index, { events, ...line }] of lines.entries())
    stdout.write(`${JSON.stringify({ sample, number: index + 1, ...line, updates: events.map(toUpdate) })}\n`);
  stdout.write(`${JSON.stringify({ sample, end: { ...rest, updates: atEnd.map(toUpdate) } })}\n`);
}

function numbersOf(lines: readonly ReplayedLine[], holds: (line: ReplayedLine) => boolean): readonly number[] {
  return lines.flatMap((line, index) => (holds(line) ? [index + 1] : []));
}

/** As a client of version 1 is told it, where that version has a word for it. */
function toUpdate(event: SessionEvent): object {
  // A call is told with a title, a kind and a status when it is new, and only then with all of them.
  const isNew =
    event.type === 'tool_call' && [event.title, event.kind, event.status].every((field) => field !== undefined);
  return eventToV1(event, isNew) ?? event;
}

function describe(event: SessionEvent): string {
  const { sessionUpdate, type, messageId: _, ...rest } = toUpdate(event) as Readonly<Record<string, unknown>>;
  return `${sessionUpdate ?? type} ${shorten(JSON.stringify(rest))}`;
}

const MAX_SHOWN = 160;

function shorten(text: string): string {
  const clean = cleanText(text);
  return clean.length <= MAX_SHOWN ? clean : `${clean.slice(0, MAX_SHOWN)}...`;
}
