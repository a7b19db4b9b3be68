import { RpcError } from '@parley/jsonrpc';
import { type Fields, inWords, isRecord, mapItems } from './fields.ts';
import type { DialectOptions } from './options.ts';
import type { SessionState } from './state.ts';

/** The peer's name for one of our modes. */
export function writeModeId(modeId: unknown, { modeIds }: DialectOptions): unknown {
  if (!modeIds || typeof modeId !== 'string') return modeId;
  return Object.hasOwn(modeIds, modeId) ? modeIds[modeId] : modeId;
}

/** Our name for one of the peer's modes. */
export function readModeId(modeId: unknown, { modeIds }: DialectOptions): unknown {
  if (!modeIds) return modeId;
  return Object.entries(modeIds).find(([, theirs]) => theirs === modeId)?.[0] ?? modeId;
}

/** The mode ids inside a canonical mode state. */
export function mapModeIds(modes: Fields, map: (modeId: unknown) => unknown): Fields {
  const listed = mapItems(modes, 'availableModes', (mode) => {
    if (!isRecord(mode)) return mode;
    const id = map(mode.id);
    return id === mode.id ? mode : { ...mode, id };
  });
  const currentModeId = map(modes.currentModeId);
  return currentModeId === modes.currentModeId ? listed : { ...listed, currentModeId };
}

const ELEPHANT_MODES: readonly unknown[] = ['full', 'read-only', 'safe', 'sandbox'];

/** S3:172 has four modes; where a session has told of others, those are valid as well. */
export function isElephantMode(modeId: unknown, { modes }: SessionState): boolean {
  const told = Array.isArray(modes?.availableModes) ? modes.availableModes : [];
  const isTold = told.some((mode) => isRecord(mode) && mode.id === modeId);
  return isTold || (told.length === 0 && ELEPHANT_MODES.includes(modeId));
}

export function unknownMode(modeId: unknown): RpcError {
  return RpcError.invalidParams(`modeId: there is no mode "${inWords(modeId)}"`);
}
