import { ERROR_KINDS, type ErrorKind } from '@parley/protocol';
import type { DialectName } from './names.ts';

type Codes = Readonly<Record<ErrorKind, number>>;

const CANONICAL = Object.fromEntries(Object.entries(ERROR_KINDS).map(([kind, { code }]) => [kind, code])) as Codes;

/** For documents that name the JSON-RPC codes only. */
const JSON_RPC_ONLY: Codes = {
  ...CANONICAL,
  auth_required: -32603,
  auth_failed: -32603,
  resource_not_found: -32602,
  session_not_found: -32602,
  session_expired: -32602,
  request_timeout: -32603,
  request_cancelled: -32603,
};

/**
 * The number by which each dialect tells each kind. The documents and the schema give the numbers -32000 to -32003
 * three different meanings, so a number is never translated into a number: it always goes through its kind.
 */
export const ERROR_CODES: Readonly<Record<DialectName, Codes>> = {
  canonical: CANONICAL,
  harness: { ...JSON_RPC_ONLY, request_timeout: -32800, request_cancelled: -32800 },
  overview: JSON_RPC_ONLY,
  elephant: JSON_RPC_ONLY,
  go: {
    ...JSON_RPC_ONLY,
    session_not_found: -32003,
    session_expired: -32003,
    permission_denied: -32002,
    connection_closed: -32000,
    request_timeout: -32001,
  },
  pharo: {
    ...JSON_RPC_ONLY,
    auth_required: -32001,
    auth_failed: -32001,
    invalid_auth_method: -32002,
    resource_not_found: -32003,
    session_not_found: -32005,
    session_expired: -32005,
    permission_denied: -32004,
    invalid_session_state: -32006,
    capability_not_supported: -32007,
  },
};

/** What a number means where a document gives it a meaning of its own. Every other number has its canonical one. */
export const ERROR_MEANINGS: Readonly<Partial<Record<DialectName, ReadonlyMap<number, ErrorKind>>>> = {
  go: new Map([
    [-32000, 'connection_closed'],
    [-32001, 'request_timeout'],
    [-32002, 'permission_denied'],
    [-32003, 'session_expired'],
  ]),
  pharo: new Map([
    [-32001, 'auth_failed'],
    [-32002, 'invalid_auth_method'],
    [-32003, 'resource_not_found'],
    [-32004, 'permission_denied'],
    [-32005, 'session_not_found'],
    [-32006, 'invalid_session_state'],
    [-32007, 'capability_not_supported'],
  ]),
};
