import { appendEvents } from './append-events.ts';
import { encodeJson, encodeMetadata, requireCount, requireName } from './encode.ts';
import { SessionNotFoundError, StoreError } from './errors.ts';
import type { Followers } from './followers.ts';
import { DEFAULT_LEASE_MS, MAX_NAME_LENGTH, type StoreLimits } from './limits.ts';
import { listSessions } from './list-sessions.ts';
import type { Backend, SessionKey } from './operations.ts';
import { newOwner } from './process-owner.ts';
import { followEvents, readEvents } from './read-events.ts';
import type { SessionLog } from './session-log.ts';
import { toInbound, toRequest, toSessionRecord } from './to-record.ts';

/** What all logs of a store share. */
export interface LogContext {
  readonly backend: Backend;
  readonly followers: Followers;
  readonly limits: StoreLimits;
  readonly now: () => number;
  /** Bytes that wait to be written, over all sessions. */
  readonly queued: { bytes: number };
}

/** The face of a store for one principal: checks what comes in, turns it into operations, and publishes what was committed. */
export function createSessionLog(principal: string, context: LogContext): SessionLog {
  const { backend, followers, limits, now } = context;
  const { maxEventBytes } = limits;
  const key = (sessionId: string): SessionKey => ({ principal, sessionId: requireName('A session id', sessionId) });

  return {
    principal,

    async create({ id, cwd, title, metadata = {} }) {
      const row = await backend.call('create', {
        ...key(id),
        cwd: requireName('The cwd of a session', cwd),
        title: requireTitle(title) ?? null,
        metadataJson: encodeMetadata(metadata, maxEventBytes),
        nowMs: now(),
      });
      return toSessionRecord(row, now());
    },

    async get(sessionId) {
      const row = await backend.call('get', key(sessionId));
      return row ? toSessionRecord(row, now()) : undefined;
    },

    list: async (query = {}) => listSessions(context, principal, query),

    async update(sessionId, { title, metadata, isArchived }) {
      const row = await backend.call('update', {
        ...key(sessionId),
        title: title === null ? null : requireTitle(title),
        metadataJson: metadata && encodeMetadata(metadata, maxEventBytes),
        isArchived,
      });
      return toSessionRecord(row, now());
    },

    async remove(sessionId) {
      const wasThere = await backend.call('remove', key(sessionId));
      followers.wake(key(sessionId));
      return wasThere;
    },

    async fork(sessionId, { id, cwd, title, metadata, upTo }) {
      const row = await backend.call('fork', {
        ...key(sessionId),
        newId: requireName('A session id', id),
        cwd: cwd === undefined ? undefined : requireName('The cwd of a session', cwd),
        title: requireTitle(title),
        metadataJson: metadata && encodeMetadata(metadata, maxEventBytes),
        upTo: upTo === undefined ? undefined : requireCount('The last event to copy', upTo),
        nowMs: now(),
      });
      return toSessionRecord(row, now());
    },

    append: async (sessionId, events, options = {}) => appendEvents(context, key(sessionId), { events, ...options }),

    async head(sessionId) {
      const row = await backend.call('get', key(sessionId));
      if (!row) throw new SessionNotFoundError(sessionId);
      return row.head;
    },

    read(sessionId, { after = 0, upTo, signal } = {}) {
      const source = { backend, limits, session: key(sessionId) };
      return readEvents(source, { after: requireCount('A cursor', after), upTo, signal });
    },

    follow(sessionId, { after = 0, signal } = {}) {
      const source = { backend, limits, session: key(sessionId) };
      return followEvents(source, { after: requireCount('A cursor', after), followers, signal });
    },

    async inbound(sessionId, inboundKey) {
      const row = await backend.call('inbound', { ...key(sessionId), key: requireName('A key', inboundKey) });
      return row ? toInbound(row) : undefined;
    },

    async addRequest(sessionId, { requestId, body }, { epoch } = {}) {
      const json = encodeJson('A request', body, maxEventBytes);
      const input = { ...key(sessionId), requestId: requireName('A request id', requestId), json, epoch, nowMs: now() };
      return toRequest(await backend.call('addRequest', input));
    },

    async answerRequest(sessionId, requestId, { body, answeredBy }) {
      const json = encodeJson('An answer', body, maxEventBytes);
      const input = { ...key(sessionId), requestId: requireName('A request id', requestId), json, nowMs: now() };
      const { isFirst, request } = await backend.call('answerRequest', {
        ...input,
        answeredBy: requireName('The name of who answers', answeredBy),
      });
      const { answer } = toRequest(request);
      if (!answer) throw new StoreError('store_io', `Request "${requestId}" has no answer after it was answered.`);
      return { isFirst, answer };
    },

    async openRequests(sessionId) {
      return (await backend.call('openRequests', key(sessionId))).map(toRequest);
    },

    acquire: async (sessionId, { owner = newOwner(), leaseMs = DEFAULT_LEASE_MS, takeOver = false } = {}) => {
      const input = { ...key(sessionId), owner: requireName('An owner', owner), leaseMs: requireLease(leaseMs) };
      return backend.call('acquire', { ...input, takeOver, nowMs: now() });
    },

    renew: async (sessionId, { epoch, leaseMs = DEFAULT_LEASE_MS }) =>
      backend.call('renew', { ...key(sessionId), epoch, leaseMs: requireLease(leaseMs), nowMs: now() }),

    release: async (sessionId, { epoch }) => backend.call('release', { ...key(sessionId), epoch }),
  };
}

function requireLease(leaseMs: number): number {
  if (leaseMs > 0 && Number.isSafeInteger(leaseMs)) return leaseMs;
  throw new StoreError('invalid_input', `A lease must last a whole number of milliseconds above 0, not ${leaseMs}.`);
}

function requireTitle(title: string | undefined): string | undefined {
  if (title === undefined || title.length <= MAX_NAME_LENGTH) return title;
  throw new StoreError('invalid_input', `The title of a session is longer than ${MAX_NAME_LENGTH} characters.`);
}
