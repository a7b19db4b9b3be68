import type { StoreErrorCode } from '../errors.ts';
import type { Input, OperationName, Output } from '../operations.ts';
import type { DatabaseOptions } from './open-database.ts';

/** What the store's thread is started with. */
export type ThreadData = DatabaseOptions;

/** One call as it crosses to the thread. `version` asks whether other processes have written. */
export type Call = OperationCall | { readonly id: number; readonly name: 'version' };

export type OperationCall<Names extends OperationName = OperationName> = {
  [Name in Names]: { readonly id: number; readonly name: Name; readonly input: Input<Name> };
}[Names];

/** The calls of one tick, or the wish to end after all that came before. */
export type ToThread = readonly Call[] | 'close';

export type Reply =
  | { readonly id: number; readonly output: Output<OperationName> | number }
  | { readonly id: number; readonly fault: Fault };

export interface Fault {
  readonly code: StoreErrorCode;
  readonly sessionId: string;
  readonly message: string;
}
