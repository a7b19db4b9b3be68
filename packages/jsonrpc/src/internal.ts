/** What the other packages of Parley share. It is no part of the public face: it may change with any version. */
export { type AcceptingListener, acceptAll } from './accept-all.ts';
export { Backoff, type BackoffOptions, backoffMs, pause } from './backoff.ts';
export { cloneJson } from './clone-json.ts';
export { isRecord } from './guards.ts';
export { leastJsonLength, MOST_BYTES_PER_CHARACTER } from './json-length.ts';
export { matchName, type NameMatch, type NamesOf } from './match-name.ts';
export { SharedAborts } from './shared-aborts.ts';
