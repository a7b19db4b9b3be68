import { CliError } from '@parley/host/command-line';
import { isInput, isSetting, readEntry } from '@parley/session';
import type { NewEvent } from '@parley/store';
import { isRecord } from '../../config/check-config.ts';

/** A session as one JSON document. */
export interface Archive {
  readonly format: 'parley-session/1';
  readonly exportedAt: string;
  readonly session: {
    readonly name?: string;
    readonly agent: string;
    readonly command?: string;
    readonly agentSessionId?: string;
    readonly cwd: string;
    readonly title: string | null;
    readonly settings?: Readonly<Record<string, string | boolean>>;
    readonly mode?: string;
    /** What our own agent keeps beside the events. */
    readonly ownMetadata?: Readonly<Record<string, unknown>>;
  };
  readonly events: readonly NewEvent[];
}

/** The archive as JSON, event by event: a session may be larger than memory. */
export async function* writeArchive(
  session: Archive['session'],
  events: AsyncIterable<NewEvent>,
): AsyncGenerator<string> {
  const head: Omit<Archive, 'events'> = { format: 'parley-session/1', exportedAt: new Date().toISOString(), session };
  yield `${JSON.stringify(head, null, 2).slice(0, -'\n}'.length)},\n  "events": [`;
  let mark = '\n';
  for await (const { kind, body, timeMs } of events) {
    yield `${mark}    ${JSON.stringify({ kind, body, timeMs }, null, 2).replaceAll('\n', '\n    ')}`;
    mark = ',\n';
  }
  yield mark === '\n' ? ']\n}\n' : '\n  ]\n}\n';
}

/**
 * The conversation without changes of mode and options, which an agent would take up where a turn was left open, and without what
 * was asked of its owner: whether that was done is told by numbers that are others in the copy.
 */
export function withoutSettings(events: readonly NewEvent[]): readonly NewEvent[] {
  return events.filter((each) => {
    const entry = readEntry(each);
    if (entry?.type === 'event') return !isSetting(entry.event);
    return !entry || !(isInput(entry) || entry.type === 'input_taken');
  });
}

/** Reads an archive from outside; throws with what is wrong. */
export function parseArchive(text: string, file: string): Archive {
  const fail = (problem: string): never => {
    throw new CliError('usage', `${file} is no exported session: ${problem}.`, {
      next: ['parley sessions export <session> -o file.json'],
    });
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail('it is not JSON');
  }
  if (!isRecord(value) || value.format !== 'parley-session/1')
    return fail('it does not say "format": "parley-session/1"');
  const { session, events } = value;
  if (!isRecord(session) || typeof session.agent !== 'string' || typeof session.cwd !== 'string')
    return fail('session has no agent or cwd');
  if (session.settings !== undefined && !isRecord(session.settings)) return fail('session.settings is not an object');
  const odd = ['name', 'command', 'agentSessionId', 'mode', 'title'].find(
    (key) => session[key] !== undefined && session[key] !== null && typeof session[key] !== 'string',
  );
  if (odd !== undefined) return fail(`session.${odd} is not a text`);
  if (!Array.isArray(events)) return fail('events is not a list');
  const broken = events.findIndex((event) => !isRecord(event) || typeof event.kind !== 'string' || !('body' in event));
  if (broken >= 0) return fail(`events[${broken}] has no kind or body`);
  return value as unknown as Archive;
}
