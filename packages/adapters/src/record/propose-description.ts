import { basename } from 'node:path';
import type { Description } from '../description/description.ts';
import { findByName } from './find-field.ts';
import { proposeEvents } from './propose-events.ts';
import { proposeWords, type RecordedUse } from './propose-words.ts';

export interface ProposeDescriptionOptions extends RecordedUse {
  /** What the command wrote. */
  readonly lines: readonly string[];
  /** Default: the name of the program. */
  readonly name?: string;
}

/** A first description of a command line, from one run of it. It can be used at once, and wants a person to go over it. */
export function proposeDescription(options: ProposeDescriptionOptions): Description {
  const { argv, lines, name = basename(argv[0] ?? 'agent').replace(/\.\w+$/, '') } = options;
  const values = lines.flatMap(parse);
  const words = proposeWords(options);
  const shared = { version: 1, name, ...words } as const;
  if (values.length === 0) return { ...shared, sessionMode: 'iterative', outputMode: 'text' };
  const { outputEvents, result } = proposeEvents(values);
  const sessionIdPath = values.map((value) => findByName(value, SESSION_ID)).find((path) => path !== undefined);
  return {
    ...shared,
    sessionMode: sessionIdPath === undefined ? 'iterative' : 'stream',
    ...(sessionIdPath !== undefined && { resume: { flag: '--resume', sessionIdPath } }),
    outputEvents,
    ...(result && { result }),
  };
}

const SESSION_ID = /^(session|thread|conversation|chat)_?id$/i;

function parse(line: string): unknown[] {
  try {
    return [JSON.parse(line) as unknown];
  } catch {
    return [];
  }
}
