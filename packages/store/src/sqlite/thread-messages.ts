import type { Input, OperationName, Output } from '../backend/operations.ts';
import type { StoreErrorCode } from '../contract/errors.ts';
import type { DatabaseOptions } from './open-database.ts';

/** What the store's thread is started with. */
export interface ThreadData extends DatabaseOptions {
  readonly lost: LostFile | undefined;
}

/** A file that was lost in use, and the write-ahead log that it left behind. */
export interface LostFile {
  readonly inode: string;
  readonly walInode: string;
}

/** One call as it crosses to the thread. `version` asks whether other processes have written. */
export type Call = OperationCall | { readonly id: number; readonly name: 'version' };

export type OperationCall<Names extends OperationName = OperationName> = {
  [Name in Names]: {
    readonly id: number;
    readonly name: Name;
    readonly input: Input<Name>;
    /** The time by the store's clock, which may be one of the process's own. */
    readonly nowMs: number;
  };
}[Names];

/** The calls of one tick, or the request to end after all that came before. */
export type ToThread = readonly Call[] | 'close';

export interface FromThread {
  readonly replies: readonly Reply[];
  readonly worn: Worn | undefined;
}

/** Says that this thread answers everything with the same fault from now on: another one must take its place. */
export interface Worn {
  readonly lost: LostFile | undefined;
}

export type Reply =
  | { readonly id: number; readonly output: Output<OperationName> | string }
  | { readonly id: number; readonly fault: Fault };

export interface Fault {
  readonly code: StoreErrorCode;
  readonly sessionId: string;
  readonly message: string;
}
