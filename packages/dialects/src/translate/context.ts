import type { RpcError } from '@parley/jsonrpc';
import type { Fields } from '../fields.ts';
import type { DialectState, PendingRequest, SessionState } from './state.ts';

/** Where a message stands while it is translated: its connection, its session, and the request that it answers. */
export interface TranslationContext {
  readonly state: DialectState;
  readonly session: SessionState;
  /** What a result answers, or, for params, the request itself. */
  readonly request: PendingRequest;
}

/** Translates params. An `RpcError` instead refuses the request on the sender's side of the border. */
export type MapParams = (params: Fields, context: TranslationContext) => Fields | RpcError;

/** Translates a result that is an object. */
export type MapResult = (result: Fields, context: TranslationContext) => Fields | null;

/** Translates one update into none, one or several. */
export type MapUpdate = (update: Fields, context: TranslationContext) => readonly Fields[];

/** Whether a message comes from the peer or goes to it. */
export type Direction = 'in' | 'out';
