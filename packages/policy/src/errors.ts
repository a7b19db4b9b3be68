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
