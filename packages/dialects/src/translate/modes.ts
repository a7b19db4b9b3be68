import { RpcError } from '@parley/jsonrpc';
import { type Fields, inWords, isRecord, mapItems, rename } from '../fields.ts';
import type { DialectOptions } from '../options.ts';
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

/** The option of ours that stands for the modes of elephant.ai, where there is one: its values are those modes (S3:364). */
export function elephantOption(configOptions: unknown): Fields | undefined {
  if (!Array.isArray(configOptions)) return undefined;
  return configOptions.filter(isRecord).find(({ options }) => {
    const values = Array.isArray(options) ? options.filter(isRecord) : [];
    return values.length > 0 && values.every(({ value }) => ELEPHANT_MODES.includes(value));
  });
}

/** Such an option as a canonical mode state. */
export function modesOfOption({ currentValue, options }: Fields): Fields {
  const availableModes = mapItems({ options }, 'options', (option) =>
    isRecord(option) ? rename(option, 'value', 'id') : undefined,
  ).options;
  return { currentModeId: currentValue, availableModes };
}

/** S3:172 has four modes; where a session has told of others, those are valid as well. */
export function isElephantMode(modeId: unknown, { modes, configOptions }: SessionState): boolean {
  const option = elephantOption(configOptions);
  if (option) return Array.isArray(option.options) && option.options.some(({ value }) => value === modeId);
  const told = Array.isArray(modes?.availableModes) ? modes.availableModes : [];
  const isTold = told.some((mode) => isRecord(mode) && mode.id === modeId);
  return isTold || (told.length === 0 && ELEPHANT_MODES.includes(modeId));
}

export function unknownMode(modeId: unknown): RpcError {
  return RpcError.invalidParams(`modeId: there is no mode "${inWords(modeId)}"`);
}
