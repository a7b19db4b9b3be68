import { OperationError } from '../backend/operations.ts';
import type { StoreErrorCode } from '../contract/errors.ts';

/** What went wrong, for the person who must act; and whether the same call may simply be tried again after a moment. */
interface Fault {
  readonly code: StoreErrorCode;
  readonly advice: string;
  readonly isPassing?: boolean;
}

const AWAY: Fault = {
  code: 'store_unavailable',
  advice: 'cannot be reached; check that the server runs and the address is right',
  isPassing: true,
};
const BUSY: Fault = { code: 'store_busy', advice: 'is too busy; try again', isPassing: true };
const LOGIN: Fault = {
  code: 'store_unavailable',
  advice: 'refused the user or the password; check the address, PGPASSWORD or the password file',
};
const READ_ONLY: Fault = {
  code: 'store_readonly',
  advice: 'may only be read; name the server that takes writes',
  isPassing: true,
};

/** By SQLSTATE, or by its class; and by the names of the system for what happens before there is one. */
const FAULTS: Readonly<Record<string, Fault>> = {
  '08': AWAY,
  '25006': READ_ONLY,
  '25P03': { code: 'store_busy', advice: 'ended a transaction that took too long; try again', isPassing: true },
  '28': LOGIN,
  '3D000': { code: 'store_unavailable', advice: 'does not exist; make the database first (createdb)' },
  '40': BUSY,
  '42501': {
    code: 'store_readonly',
    advice: 'may not be used by this user; grant it CREATE on the database, or use of the schema',
  },
  '42': {
    code: 'store_corrupt',
    advice: 'does not have the tables that were made; restore a copy, or use another schema',
  },
  '53100': { code: 'store_full', advice: 'cannot grow; free space on the disk of the server' },
  '53200': { code: 'store_unavailable', advice: 'has no memory left; free some and try again', isPassing: true },
  '53300': {
    code: 'store_busy',
    advice: 'takes no more connections; raise max_connections, or give each program fewer (poolSize)',
    isPassing: true,
  },
  '53': BUSY,
  '54': { code: 'store_io', advice: 'cannot hold anything that large; store it elsewhere' },
  '55P03': {
    code: 'store_busy',
    advice: 'is in use by another program that did not finish in time; try again',
    isPassing: true,
  },
  '57014': BUSY,
  '57P': AWAY,
  '58': { code: 'store_io', advice: 'could not be read or written; check the disk of the server' },
  XX001: { code: 'store_corrupt', advice: 'is damaged; restore a copy' },
  XX002: { code: 'store_corrupt', advice: 'is damaged; restore a copy' },
  ECONNREFUSED: AWAY,
  ECONNRESET: AWAY,
  EHOSTUNREACH: AWAY,
  ENETUNREACH: AWAY,
  ENOENT: AWAY,
  ENOTFOUND: { code: 'store_unavailable', advice: 'cannot be found: its host has no address; check the name' },
  EAI_AGAIN: AWAY,
  EPIPE: AWAY,
  ETIMEDOUT: AWAY,
};

const UNKNOWN: Fault = { code: 'store_io', advice: 'could not be used' };

/** Whether trying again after a moment may do: the server starts, stops, is being replaced, or is only busy. */
export function isPassing(error: unknown): boolean {
  return faultOf(error).isPassing === true;
}

/** Whether the connection is of no use any more. */
export function isBroken(error: unknown): boolean {
  if (error instanceof OperationError) return false;
  const code = codeOf(error);
  return (
    code === undefined || !/^[0-9A-Z]{5}$/.test(code) || /^(08|57P|25P03|53300)/.test(code) || code.startsWith('E')
  );
}

export interface FaultContext {
  /** The store as people know it, without a password. */
  readonly place: string;
  /** What is known of the call: it only looked, nothing of it was saved, or nobody knows. */
  readonly outcome: 'read' | 'nothing' | 'unknown';
}

/** A fault of the database as an error that says what to do. */
export function toFault(error: unknown, { place, outcome }: FaultContext): OperationError {
  if (error instanceof OperationError) return error;
  const { code, advice } = faultOf(error);
  const detail = error instanceof Error ? error.message : String(error);
  const words = {
    read: '',
    nothing: ' Nothing of this call was saved.',
    unknown: ' Whether this call was saved is not known.',
  };
  return new OperationError(code, '', `The session store ${place} ${advice} (${detail}).${words[outcome]}`);
}

function faultOf(error: unknown): Fault {
  const code = codeOf(error);
  if (code !== undefined) {
    for (const length of [code.length, 3, 2]) {
      const fault = FAULTS[code.slice(0, length)];
      if (fault) return fault;
    }
    return UNKNOWN;
  }
  // The driver has words alone for a connection that ended, and for one that was not made in time.
  const words = error instanceof Error ? error.message : '';
  if (/terminated|timeout|not queryable|closed|ended/i.test(words)) return AWAY;
  if (/password|SASL|SCRAM/i.test(words)) return LOGIN;
  return UNKNOWN;
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  // Several addresses of one host that all failed.
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
