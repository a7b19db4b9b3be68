import { ParleyError } from '@parley/jsonrpc';

/** What can go wrong with a run itself, as opposed to what a check finds. */
export type ConformanceErrorCode =
  /** The target cannot be spoken to: an address of a kind that is not supported, or an empty command. */
  | 'check_target'
  /** The command line cannot be understood. */
  | 'check_usage'
  /** A report of an earlier run cannot be read. */
  | 'check_report';

export class ConformanceError extends ParleyError {
  override readonly name = 'ConformanceError';

  constructor(code: ConformanceErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(code, message, options);
  }
}
