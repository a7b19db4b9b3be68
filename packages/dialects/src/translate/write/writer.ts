import type { SuccessResponse } from '@parley/jsonrpc';
import { type Fields, isRecord } from '../../fields.ts';
import type { MapParams, MapResult, MapUpdate, TranslationContext } from '../context.ts';
import type { Outcome } from '../outcome.ts';
import type { DialectState, PendingRequest } from '../state.ts';

/** How one dialect is written. What it does not name goes out as it is: all five documents let peers ignore it. */
export interface DialectWriter {
  readonly params: ReadonlyMap<string, MapParams>;
  readonly results: ReadonlyMap<string, MapResult>;
  readonly update: MapUpdate;
  /** Whether a chunk of plain text needs no translation. */
  readonly hasPlainChunks: boolean;
  /** Whether a peer of this dialect does not know the method, so that we answer in its place. */
  readonly lacks: (method: string, state: DialectState) => boolean;
  /** What a request means beyond its words in this dialect, and has to be asked for before it. */
  readonly before?: ReadonlyMap<string, (request: PendingRequest, state: DialectState) => readonly PendingRequest[]>;
  /** Results that become something else than one result. */
  readonly answers?: ReadonlyMap<
    string,
    (response: SuccessResponse, context: TranslationContext) => Outcome | undefined
  >;
}

export const MODE_METHODS: ReadonlySet<string> = new Set(['session/set_mode', 'session/set_config_option']);

/** Whether the client did not offer the service that this method belongs to (S0 and S3 describe none). */
export function isServiceMissing(method: string, { clientCapabilities }: DialectState): boolean {
  if (method.startsWith('terminal/')) return clientCapabilities.terminal !== true;
  const fs = isRecord(clientCapabilities.fs) ? clientCapabilities.fs : {};
  if (method === 'fs/read_text_file') return fs.readTextFile !== true;
  return method === 'fs/write_text_file' && fs.writeTextFile !== true;
}

/** For results that the document shows as `null`. */
export function asNull(): null {
  return null;
}

/** An update as it is. */
export function same(update: Fields): readonly Fields[] {
  return [update];
}
