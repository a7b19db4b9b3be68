import {
  type AppendInput,
  type AppendOutput,
  type InboundRow,
  OperationError,
  type SessionKey,
  type SessionState,
} from '../backend/operations.ts';
import { requireWritable, sessionFull, sessionNotFound } from '../backend/rules.ts';
import { MAX_SESSION_EVENTS } from '../contract/limits.ts';
import type { Connection, Transaction } from './database.ts';
import { owners } from './owners.ts';
import { STATE_COLUMNS, type StateColumns, toState } from './session-columns.ts';

/** One append of a group, with its time where the store was given a clock of its own. */
export interface GroupedAppend {
  readonly input: AppendInput;
  readonly timeMs: number | undefined;
}

/**
 * Appends of many sessions, and several of one session, in one commit. Each is refused or taken by itself: the sessions are
 * locked, the rules that all stores share are applied here in the order of the calls, and what comes of it is one statement.
 */
export async function appendGroup(
  { connection, nowMs }: Transaction,
  appends: readonly GroupedAppend[],
  schema: string,
): Promise<(AppendOutput | OperationError)[]> {
  const sessions = await lockSessions(connection, appends, schema);
  const recorded = await findInbound(connection, sessions, appends, schema);
  const group = new WriteSet();

  const append = ({ input, timeMs = nowMs }: GroupedAppend): AppendOutput => {
    const session = sessions.get(nameOf(input));
    if (!session) throw sessionNotFound(input.sessionId);
    const { num, epoch, head } = session;
    const repeated = input.once && recorded.get(inboundName(num, input.once.key));
    if (repeated) return { num, first: head + 1, last: head, epoch, timeMs, repeated };
    requireWritable(session, input, owners);
    const last = head + input.events.length;
    if (last > MAX_SESSION_EVENTS) throw sessionFull(input.sessionId);

    let { bytes } = session;
    let seq = head;
    for (const event of input.events) {
      bytes += event.bytes;
      group.addEvent([num, ++seq, epoch, event.timeMs ?? timeMs, event.kind, bytes, event.json]);
    }
    if (seq > head) {
      sessions.set(nameOf(input), { ...session, head: last, bytes });
      group.lengths.set(num, [num, last, bytes, timeMs]);
    }
    for (const inbound of [input.once, input.settle]) {
      if (!inbound) continue;
      recorded.set(inboundName(num, inbound.key), inbound);
      group.inbound.set(inboundName(num, inbound.key), [num, inbound.key, inbound.outcomeJson]);
    }
    return { num, first: head + 1, last, epoch, timeMs, repeated: null };
  };

  const outputs = appends.map((each) => {
    try {
      return append(each);
    } catch (error) {
      if (error instanceof OperationError) return error;
      throw error;
    }
  });
  await group.save(connection, schema);
  return outputs;
}

/** All in the order of their numbers, so that no two groups wait for each other. */
async function lockSessions(
  connection: Connection,
  appends: readonly GroupedAppend[],
  schema: string,
): Promise<Map<string, SessionState>> {
  const keys = new Map(appends.map(({ input }) => [nameOf(input), input]));
  const { rows } = await connection.query({
    name: 'lock',
    text: `SELECT ${STATE_COLUMNS} FROM ${schema}.session
           WHERE (principal, id) IN (SELECT * FROM unnest($1::text[], $2::text[])) ORDER BY num FOR UPDATE`,
    values: [
      [...keys.values()].map(({ principal }) => principal),
      [...keys.values()].map(({ sessionId }) => sessionId),
    ],
  });
  const found = rows as readonly StateColumns[];
  return new Map(found.map((row) => [nameOf({ principal: row.principal, sessionId: row.id }), toState(row)]));
}

async function findInbound(
  connection: Connection,
  sessions: ReadonlyMap<string, SessionState>,
  appends: readonly GroupedAppend[],
  schema: string,
): Promise<Map<string, InboundRow>> {
  const wanted = appends.flatMap(({ input }) => {
    const num = sessions.get(nameOf(input))?.num;
    return input.once && num !== undefined ? [{ num, key: input.once.key }] : [];
  });
  if (wanted.length === 0) return new Map();
  const { rows } = await connection.query(
    `SELECT session, key, outcome FROM ${schema}.inbound
     WHERE (session, key) IN (SELECT * FROM unnest($1::bigint[], $2::text[]))`,
    [wanted.map(({ num }) => num), wanted.map(({ key }) => key)],
  );
  const found = rows as readonly { readonly session: number; readonly key: string; readonly outcome: string | null }[];
  return new Map(found.map(({ session, key, outcome }) => [inboundName(session, key), { key, outcomeJson: outcome }]));
}

type EventColumns = [
  session: number,
  seq: number,
  epoch: number,
  timeMs: number,
  kind: string,
  endByte: number,
  body: string,
];
type LengthColumns = readonly [session: number, head: number, bytes: number, updatedMs: number];
type InboundColumns = readonly [session: number, key: string, outcome: string | null];

/** What a group writes, column by column, as the database takes it. */
class WriteSet {
  readonly lengths = new Map<number, LengthColumns>();
  readonly inbound = new Map<string, InboundColumns>();
  readonly #events: [number[], number[], number[], number[], string[], number[], string[]] = [
    [],
    [],
    [],
    [],
    [],
    [],
    [],
  ];

  addEvent(columns: EventColumns): void {
    for (const [index, value] of columns.entries()) (this.#events[index] as unknown[]).push(value);
  }

  async save(connection: Connection, schema: string): Promise<void> {
    if (this.lengths.size === 0 && this.inbound.size === 0) return;
    const lengths = [...this.lengths.values()];
    const inbound = [...this.inbound.values()];
    await connection.query({
      name: 'save',
      text: `
        WITH added AS (
          INSERT INTO ${schema}.event (session, seq, epoch, time_ms, kind, end_byte, body)
          SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[], $7::text[])
        ), grown AS (
          UPDATE ${schema}.session SET head = new.head, bytes = new.bytes, updated_ms = new.updated_ms
          FROM unnest($8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[]) AS new (num, head, bytes, updated_ms)
          WHERE session.num = new.num
        )
        INSERT INTO ${schema}.inbound (session, key, outcome)
        SELECT * FROM unnest($12::bigint[], $13::text[], $14::text[])
        ON CONFLICT (session, key) DO UPDATE SET outcome = excluded.outcome`,
      values: [...this.#events, ...columnsOf(lengths, 4), ...columnsOf(inbound, 3)],
    });
  }
}

function columnsOf(rows: readonly (readonly unknown[])[], count: number): unknown[][] {
  return Array.from({ length: count }, (_, column) => rows.map((row) => row[column]));
}

function nameOf({ principal, sessionId }: SessionKey): string {
  return `${principal}\0${sessionId}`;
}

function inboundName(num: number, key: string): string {
  return `${num}\0${key}`;
}
