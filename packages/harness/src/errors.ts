import { ParleyError } from '@parley/jsonrpc';

/** Every code an error of this package can have. */
export type HarnessErrorCode =
  /** A line of a file is not what its format asks for. */
  | 'line_invalid'
  /** A file cannot be read or written. */
  | 'file_unusable'
  /** A grader cannot be loaded. */
  | 'grader_unusable'
  /** A grader ran, and gave no result that can be used. */
  | 'grader_failed'
  /** A workspace cannot be made. */
  | 'workspace_failed'
  /** Options that contradict each other. */
  | 'options_invalid';

/** Something about an evaluation itself is wrong, rather than about the agent. */
export class HarnessError extends ParleyError {
  override readonly name: string = 'HarnessError';
  declare readonly code: HarnessErrorCode;

  constructor(code: HarnessErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(code, message, options);
  }
}

/** A line is not what its format asks for; the message names file, line and field. */
export class LineError extends HarnessError {
  override readonly name = 'LineError';
  /** Counted from one. */
  readonly line: number | undefined;
  /** `trajectory[3].status`; undefined when the line is no JSON at all. */
  readonly field: string | undefined;

  constructor(
    message: string,
    place: { readonly line?: number; readonly field?: string; readonly cause?: unknown } = {},
  ) {
    super('line_invalid', message, place.cause === undefined ? undefined : { cause: place.cause });
    this.line = place.line;
    this.field = place.field;
  }
}
