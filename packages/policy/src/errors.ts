import { ParleyError } from '@parley/jsonrpc';

/** A rule that cannot be read; `column` (counted from 1) is where the reading stopped. */
export class RuleSyntaxError extends ParleyError {
  override readonly name = 'RuleSyntaxError';
  readonly rule: string;
  readonly column: number;

  constructor(rule: string, column: number, problem: string) {
    super('rule_syntax', `Cannot read the rule ${JSON.stringify(rule)}: column ${column}: ${problem}`);
    this.rule = rule;
    this.column = column;
  }
}

/** A workspace folder that is not an absolute path; nothing could be said to be outside of it. */
export class WorkspaceError extends ParleyError {
  override readonly name = 'WorkspaceError';

  constructor(folder: string) {
    super(
      'workspace_not_absolute',
      `The workspace folder ${JSON.stringify(folder)} is not an absolute path; resolve it first.`,
    );
  }
}

/** An entry of the remembered decisions that is not in the form this version writes. */
export class RememberedFormatError extends ParleyError {
  override readonly name = 'RememberedFormatError';

  constructor(path: string, expected: string) {
    super(
      'remembered_format',
      `Cannot read a remembered decision: ${path}: expected ${expected}; revoke it and ask again.`,
    );
  }
}
