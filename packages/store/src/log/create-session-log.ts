import type { SessionKey } from '../backend/operations.ts';
import { SessionNotFoundError, StoreError } from '../contract/errors.ts';
import { DEFAULT_LEASE_MS, MAX_LEASE_MS, MAX_NAME_LENGTH } from '../contract/limits.ts';
import { requireCount, requireEpoch, requireName } from '../contract/require.ts';
import type { SessionLog } from '../contract/session-log.ts';
import type { CopiedFacts } from '../contract/session-record.ts';
import { appendEvents, encodeEvents, weigh } from './append-events.ts';
import { encodeMetadata } from './encode.ts';
import { listSessions } from './list-sessions.ts';
import type { LogContext } from './log-context.ts';
import { followEvents, readEvents } from './read-events.ts';
import { toInbound } from './to-record.ts';

/** The face of a store for one principal: checks what comes in, turns it into operations, and publishes what was committed. */
export function createSessionLog(principal: string, context: LogContext): SessionLog {
  const { backend, followers, limits, queue, unreleased, damaged, toRecord } = context;
  const { maxEventBytes } = limits;
  const key = (sessionId: string): SessionKey => ({ principal, sessionId: requireName('A session id', sessionId) });

  return {
    principal,
    isShared: backend.isShared,
    hasStrictLeases: backend.hasStrictLeases ?? false,

    async create({ id, cwd, title, metadata = {}, events = [], copied }) {
      const input = {
        ...key(id),
        cwd: requireName('The cwd of a session', cwd),
        title: requireTitle(title) ?? null,
        metadataJson: encodeMetadata(metadata, maxEventBytes),
        events: encodeEvents(context, events),
        copied: copied && encodeCopied(copied, events.length),
      };
      const bytes = input.metadataJson.length + weigh(input.events);
      const row = await queue.run(bytes, () => backend.call('create', input));
      followers.tellAppended(input, row);
      return toRecord(row);
    },

    async get(sessionId) {
      const row = await backend.call('get', key(sessionId));
      return row ? toRecord(row) : undefined;
    },

    list: async (query = {}) => listSessions(context, principal, query),

    async update(sessionId, { title, metadata, isArchived }) {
      const input = {
        ...key(sessionId),
        title: title === null ? null : requireTitle(title),
        metadataJson: metadata && encodeMetadata(metadata, maxEventBytes),
        isArchived,
      };
      const row = await queue.run(input.metadataJson?.length ?? 0, () => backend.call('update', input));
      return toRecord(row);
    },

    async remove(sessionId) {
      const wasThere = await backend.call('remove', key(sessionId));
      followers.wake(key(sessionId));
      return wasThere;
    },

    async fork(sessionId, { id, cwd, title, metadata, upTo }) {
      const input = {
        ...key(sessionId),
        newId: requireName('A session id', id),
        cwd: cwd === undefined ? undefined : requireName('The cwd of a session', cwd),
        title: requireTitle(title),
        metadataJson: metadata && encodeMetadata(metadata, maxEventBytes),
        upTo: upTo === undefined ? undefined : requireCount('The last event to copy', upTo),
      };
      const row = await queue.run(input.metadataJson?.length ?? 0, () => backend.call('fork', input));
      followers.tellAppended({ principal, sessionId: row.id }, row);
      return toRecord(row);
    },

    append: async (sessionId, events, options = {}) => appendEvents(context, key(sessionId), { events, ...options }),

    async trim(sessionId, { before, summary, epoch }) {
      const [event] = encodeEvents(context, [summary]);
      if (!event) throw new StoreError('invalid_input', 'What was dropped needs a summary.');
      const input = {
        ...key(sessionId),
        before: requireCount('The first event to keep', before),
        summary: event,
        epoch: requireEpoch(epoch),
      };
      return toRecord(await queue.run(weigh([event]), () => backend.call('trim', input)));
    },

    async head(sessionId) {
      const row = await backend.call('get', key(sessionId));
      if (!row) throw new SessionNotFoundError(sessionId);
      return row.head;
    },

    read(sessionId, { after = 0, upTo, signal } = {}) {
      const source = { backend, limits, damaged, session: key(sessionId) };
      const end = upTo === undefined ? undefined : requireCount('The last event to read', upTo);
      return readEvents(source, { after: requireCount('A cursor', after), upTo: end, signal });
    },

    follow(sessionId, { after = 0, signal } = {}) {
      const source = { backend, limits, damaged, session: key(sessionId) };
      return followEvents(source, { after: requireCount('A cursor', after), followers, signal });
    },

    watch: (sessionId, onAppended) => followers.watch(key(sessionId), onAppended),

    async inbound(sessionId, inboundKey) {
      const row = await backend.call('inbound', { ...key(sessionId), key: requireName('A key', inboundKey) });
      return row ? toInbound(row) : undefined;
    },

    acquire: async (sessionId, { owner = backend.newOwner(), leaseMs = DEFAULT_LEASE_MS, takeOver = false } = {}) => {
      const input = { ...key(sessionId), owner: requireName('An owner', owner), leaseMs: requireLease(leaseMs) };
      unreleased.releaseFirst(input);
      return backend.call('acquire', { ...input, takeOver });
    },

    renew: async (sessionId, { epoch, leaseMs = DEFAULT_LEASE_MS }) => {
      const input = { ...key(sessionId), epoch: requireCount('An epoch', epoch), leaseMs: requireLease(leaseMs) };
      return backend.call('renew', input);
    },

    newOwner: () => backend.newOwner(),
    hasEnded: (owner) => backend.hasEnded?.(owner) ?? false,
    release: async (sessionId, { epoch }) => unreleased.release(key(sessionId), requireCount('An epoch', epoch)),
  };
}

/** Only what is known: the caller may go on changing its own object. */
function encodeCopied(copied: CopiedFacts, events: number): CopiedFacts {
  const { createdAtMs, updatedAtMs, isArchived, parentId, trimmedTo = 0 } = copied;
  if (trimmedTo > 0 && events === 0) {
    throw new StoreError(
      'invalid_input',
      'A copy of a session that was trimmed begins with the summary of what is gone.',
    );
  }
  return {
    createdAtMs: requireCount('The time of a copied session', createdAtMs),
    updatedAtMs: requireCount('The time of a copied session', updatedAtMs),
    isArchived,
    parentId: parentId === null ? null : requireName('A session id', parentId),
    trimmedTo: requireCount('The last event that was dropped', trimmedTo),
  };
}

function requireLease(leaseMs: number): number {
  if (leaseMs >= 1 && leaseMs <= MAX_LEASE_MS && Number.isSafeInteger(leaseMs)) return leaseMs;
  throw new StoreError('invalid_input', `A lease lasts 1 to ${MAX_LEASE_MS} whole milliseconds, not ${leaseMs}.`);
}

function requireTitle(title: string | undefined): string | undefined {
  if (title === undefined || (typeof title === 'string' && title.length <= MAX_NAME_LENGTH)) return title;
  if (typeof title !== 'string') throw new StoreError('invalid_input', 'The title of a session must be a text.');
  throw new StoreError('invalid_input', `The title of a session is longer than ${MAX_NAME_LENGTH} characters.`);
}
