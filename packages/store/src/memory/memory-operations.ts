import {
  type AppendInput,
  OperationError,
  type Operations,
  type SessionKey,
  type SessionRow,
} from '../backend/operations.ts';
import { UNKNOWN_OWNERS } from '../backend/owners.ts';
import {
  countFitting,
  lastTrimmed,
  nextLease,
  renewedLease,
  requireCursor,
  requireWritable,
  sessionExists,
  sessionNotFound,
  startAfter,
  toView,
} from '../backend/rules.ts';
import { droppedFrom, type MemorySession, pageOf } from './memory-session.ts';

/** All owners are in this process, and are no more than their names. */
const owners = UNKNOWN_OWNERS;

type NewRow = Omit<SessionRow, 'num' | 'id' | 'principal' | 'isArchived' | 'epoch' | 'lease'>;

/** The operations on plain maps. */
export function memoryOperations(maxBytes: number): Operations {
  const sessions = new Map<string, MemorySession>();
  let lastNum = 0;
  let bytes = 0;

  const find = (key: SessionKey): MemorySession => {
    const session = sessions.get(keyOf(key));
    if (!session) throw sessionNotFound(key.sessionId);
    return session;
  };
  const change = (session: MemorySession, changes: Partial<SessionRow>): SessionRow => {
    session.row = { ...session.row, ...changes };
    return session.row;
  };
  const add = (key: SessionKey, row: NewRow, log: Pick<MemorySession, 'events' | 'ends'>): SessionRow => {
    const { principal, sessionId: id } = key;
    if (sessions.has(keyOf(key))) throw sessionExists(id);
    const full = { ...row, num: ++lastNum, id, principal, isArchived: false, epoch: 0, lease: null };
    sessions.set(keyOf(key), { row: full, ...log, inbound: new Map() });
    return full;
  };
  const requireRoom = (needed: number): void => {
    if (bytes + needed <= maxBytes) return;
    throw new OperationError(
      'store_full',
      '',
      `The session store holds its ${maxBytes} bytes; delete sessions to make room.`,
    );
  };

  return {
    create({ principal, sessionId, cwd, title, metadataJson, events, copied }, nowMs) {
      const added = events.reduce((sum, event) => sum + event.bytes, 0);
      requireRoom(added);
      const trimmedTo = copied?.trimmedTo ?? 0;
      const row = {
        cwd,
        title,
        metadataJson,
        createdAtMs: copied?.createdAtMs ?? nowMs,
        updatedAtMs: nowMs,
        head: droppedFrom({ trimmedTo }),
        bytes: 0,
        trimmedTo,
        trimmedBytes: 0,
        parentId: copied?.parentId ?? null,
      };
      add({ principal, sessionId }, row, { events: [], ends: [] });
      bytes += added;
      const session = find({ principal, sessionId });
      appendTo(session, { events }, nowMs);
      if (copied) change(session, { updatedAtMs: copied.updatedAtMs, isArchived: copied.isArchived });
      return toView(session.row, { nowMs, owners });
    },

    get(key, nowMs) {
      const session = sessions.get(keyOf(key));
      return session ? toView(session.row, { nowMs, owners }) : null;
    },

    list({ principal, cwd, archived, before, limit, maxBytes: maxPageBytes }, nowMs) {
      const found = [...sessions.values()]
        .map(({ row }) => row)
        .filter((row) => row.principal === principal && (cwd === null || row.cwd === cwd))
        .filter(({ isArchived }) => archived === 'include' || isArchived === (archived === 'only'))
        .filter((row) => before === null || byActivity(before, row) < 0)
        .sort(byActivity);
      const page = found.slice(
        0,
        countFitting(
          found.map(({ metadataJson }) => metadataJson.length),
          { limit, maxBytes: maxPageBytes },
        ),
      );
      return { sessions: page.map((row) => toView(row, { nowMs, owners })), hasMore: page.length < found.length };
    },

    update({ title, metadataJson, isArchived, ...key }, nowMs) {
      const session = find(key);
      const { row } = session;
      const changed = change(session, {
        title: title === undefined ? row.title : title,
        metadataJson: metadataJson ?? row.metadataJson,
        isArchived: isArchived ?? row.isArchived,
      });
      return toView(changed, { nowMs, owners });
    },

    principals: () => [...new Set([...sessions.values()].map(({ row }) => row.principal))],

    remove(key) {
      const row = sessions.get(keyOf(key))?.row;
      if (row) bytes -= row.bytes - row.trimmedBytes;
      return sessions.delete(keyOf(key));
    },

    fork({ principal, sessionId, newId, cwd, title, metadataJson, upTo }, nowMs) {
      const { row, events, ends } = find({ principal, sessionId });
      const head = upTo ?? row.head;
      requireCursor(row, head);
      const count = head - droppedFrom(row);
      const end = count <= 0 ? 0 : (ends[count - 1] ?? 0);
      const { trimmedTo, trimmedBytes } = head === 0 ? { trimmedTo: 0, trimmedBytes: 0 } : row;
      const copied = end - trimmedBytes;
      requireRoom(copied);
      const newRow = {
        cwd: cwd ?? row.cwd,
        title: title ?? row.title,
        metadataJson: metadataJson ?? row.metadataJson,
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
        head,
        bytes: end,
        trimmedTo,
        trimmedBytes,
        parentId: sessionId,
      };
      const log = { events: events.slice(0, Math.max(0, count)), ends: ends.slice(0, Math.max(0, count)) };
      const forked = add({ principal, sessionId: newId }, newRow, log);
      bytes += copied;
      return toView(forked, { nowMs, owners });
    },

    append(input, nowMs) {
      const session = find(input);
      const { num, head, epoch } = session.row;
      const repeated = input.once && session.inbound.get(input.once.key);
      if (repeated) return { num, first: head + 1, last: head, epoch, timeMs: nowMs, repeated };
      requireWritable(session.row, input, owners);
      const added = input.events.reduce((sum, event) => sum + event.bytes, 0);
      requireRoom(added);
      bytes += added;
      appendTo(session, input, nowMs);
      return { num, first: head + 1, last: session.row.head, epoch, timeMs: nowMs, repeated: null };
    },

    trim(input, nowMs) {
      const session = find(input);
      const last = lastTrimmed(session.row, input, owners);
      if (last === undefined) return toView(session.row, { nowMs, owners });
      const { row, events, ends } = session;
      const gone = last - droppedFrom(row);
      const trimmedBytes = (ends[gone - 1] ?? 0) - input.summary.bytes;
      events.splice(0, gone, { epoch: row.epoch, timeMs: input.summary.timeMs ?? nowMs, event: input.summary });
      ends.splice(0, gone - 1);
      bytes -= trimmedBytes - row.trimmedBytes;
      return toView(change(session, { trimmedTo: last, trimmedBytes }), { nowMs, owners });
    },

    page({ after, maxEvents, maxBytes: maxPageBytes, ...key }) {
      const session = find(key);
      requireCursor(session.row, after);
      const { num, head, trimmedTo } = session.row;
      const start = startAfter(session.row, after);
      const json = pageOf(session, { after: start, maxEvents, maxBytes: maxPageBytes });
      return { num, head, trimmedTo, json };
    },

    heads: (input) => input.sessions.map((key) => sessions.get(keyOf(key))?.row ?? null),

    inbound: ({ key, ...session }) => find(session).inbound.get(key) ?? null,

    acquire(input, nowMs) {
      const session = find(input);
      const lease = nextLease(session.row, input, { nowMs, owners });
      change(session, { lease, epoch: lease.epoch });
      return lease;
    },

    renew(input, nowMs) {
      const session = find(input);
      const lease = renewedLease(session.row, input, { nowMs, owners });
      change(session, { lease });
      return lease;
    },

    release({ epoch, ...key }) {
      const session = find(key);
      if (session.row.epoch !== epoch || !session.row.lease) return false;
      change(session, { lease: null });
      return true;
    },
  };
}

type Appending = Pick<AppendInput, 'events'> & Partial<Pick<AppendInput, 'once' | 'settle'>>;

function appendTo(session: MemorySession, { events, once, settle }: Appending, nowMs: number): void {
  const { epoch } = session.row;
  let { head, bytes } = session.row;
  for (const event of events) {
    head += 1;
    session.events.push({ epoch, timeMs: event.timeMs ?? nowMs, event });
    bytes += event.bytes;
    session.ends.push(bytes);
  }
  if (events.length > 0) session.row = { ...session.row, head, bytes, updatedAtMs: nowMs };
  for (const inbound of [once, settle]) if (inbound) session.inbound.set(inbound.key, inbound);
}

function byActivity(
  left: { readonly updatedAtMs: number; readonly num: number },
  right: { readonly updatedAtMs: number; readonly num: number },
): number {
  return right.updatedAtMs - left.updatedAtMs || right.num - left.num;
}

function keyOf({ principal, sessionId }: SessionKey): string {
  return `${principal}\0${sessionId}`;
}
