import { ParleyError, RpcError } from '@parley/jsonrpc';
import type { Problem } from './problem.ts';

const CODE = 'invalid_value';

/** A value from outside is not what the protocol says it should be: `update.content.text: expected string, got 5`. */
export class ValidationError extends ParleyError {
  override readonly name = 'ValidationError';
  readonly problem: Problem;

  /** By its code: `@parley/protocol/initialize` is a file that stands alone, and has a copy of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof ParleyError && value.code === CODE;
  }

  constructor(problem: Problem) {
    super(CODE, formatProblem(problem));
    this.problem = problem;
  }

  /** The answer to a peer whose request had this in its params. */
  toRpcError(): RpcError {
    const { path, expected } = this.problem;
    return RpcError.invalidParams(`Invalid params: ${this.message}`, { path: formatPath(path), expected });
  }
}

/** `update.content[0].text`; empty for the value itself. */
export function formatPath(path: readonly (string | number)[]): string {
  return path.map(formatStep).join('');
}

function formatProblem({ path, expected, received }: Problem): string {
  const where = formatPath(path);
  return `${where ? `${where}: ` : ''}expected ${expected}, got ${received}`;
}

function formatStep(step: string | number, index: number): string {
  if (typeof step === 'number') return `[${step}]`;
  if (!/^[A-Za-z_$][\w$]*$/.test(step)) return `[${JSON.stringify(step)}]`;
  return index === 0 ? step : `.${step}`;
}
