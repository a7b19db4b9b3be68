import type Database from 'libsql';
import type { Operations } from '../backend/operations.ts';
import { lastTrimmed, sessionNotFound } from '../backend/rules.ts';
import { processOwners } from '../node/process-owner.ts';
import type { FindSession } from './session-operations.ts';
import { DamagedError } from './sqlite-fault.ts';
import { readNumber } from './stored-values.ts';

/** Puts the summary in its place at once; the events before it, which may be many, go bit by bit. */
export function trimOperation(
  database: Database.Database,
  { find, get }: { readonly find: FindSession; readonly get: Operations['get'] },
): Operations['trim'] {
  const replace = database
    .prepare(
      `UPDATE event SET epoch = ?3, time_ms = ?4, kind = ?5, body = ?6 WHERE place = (?1 << 32 | ?2) RETURNING end_byte`,
    )
    .raw();
  const setStart = database.prepare('UPDATE session SET trimmed_to = ?2, trimmed_bytes = ?3 WHERE num = ?1');
  const deleteLater = database.prepare('INSERT OR IGNORE INTO trimming (session) VALUES (?)');

  return (input, nowMs) => {
    const session = find(input);
    const last = lastTrimmed(session, input, processOwners);
    if (last !== undefined) {
      const { num, epoch } = session;
      const { kind, json, bytes, timeMs = nowMs } = input.summary;
      const columns = replace.get([num, last, epoch, timeMs, kind, json]) as [endByte: unknown] | undefined;
      if (!columns) throw new DamagedError(`event ${last} is missing`);
      setStart.run([num, last, readNumber(columns[0]) - bytes]);
      deleteLater.run([num]);
    }
    const view = get(input, nowMs);
    if (!view) throw sessionNotFound(input.sessionId);
    return view;
  };
}
