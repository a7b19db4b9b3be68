import { isSetting, readEvent } from '@parley/session';
import type { NewEvent } from '@parley/store';
import { isRecord } from '../../config/check-config.ts';
import { CliError } from '../../errors.ts';

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

/** The conversation without changes of mode and options: an agent would take them up where a turn was left open. */
export function withoutSettings(events: readonly NewEvent[]): readonly NewEvent[] {
  return events.filter((each) => {
    const event = readEvent(each);
    return event === undefined || !isSetting(event);
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
