import { formatPath, INVALID, takeProblem, type Validator } from '@parley/protocol';
import type { Protocol } from '../versions/protocol.ts';
import { wordsOf } from '../versions/words.ts';

/** What is wrong with a value as the schema has it, and how badly. */
export interface SchemaProblem {
  /** `invalid`: no reader can use it. `repaired`: a reader must replace or drop a part of it. */
  readonly kind: 'invalid' | 'repaired';
  readonly message: string;
}

/** Checks the params of something that a peer sends. What is only in the unstable schema is taken too. */
export function checkParams(protocol: Protocol, method: string, params: unknown): SchemaProblem | undefined {
  const specs = wordsOf(protocol).schemas.map(
    (schema) => schema.requestSpec(method) ?? schema.notificationSpec(method),
  );
  return checkAll(
    specs.map((spec) => spec?.params),
    params,
  );
}

export function checkResult(protocol: Protocol, method: string, result: unknown): SchemaProblem | undefined {
  const specs = wordsOf(protocol).schemas.map((schema) => schema.requestSpec(method));
  return checkAll(
    specs.map((spec) => spec?.result),
    result ?? {},
  );
}

function checkAll(schemas: readonly (Validator<unknown> | undefined)[], value: unknown): SchemaProblem | undefined {
  let problem: SchemaProblem | undefined;
  for (const validate of schemas) {
    if (!validate) continue;
    const found = checkOne(validate, value);
    if (!found) return undefined;
    if (!problem || found.kind === 'repaired') problem = found;
  }
  return problem;
}

function checkOne(validate: Validator<unknown>, value: unknown): SchemaProblem | undefined {
  const checked = validate(value);
  if (checked === INVALID) {
    const { path, expected, received } = takeProblem();
    return { kind: 'invalid', message: `${formatPath(path) || 'the value'}: expected ${expected}, got ${received}` };
  }
  // A validator returns the very same value when it had nothing to do; it may only have filled in defaults, though.
  const repair = checked === value ? undefined : findRepair(value, checked, '');
  return repair === undefined ? undefined : { kind: 'repaired', message: repair };
}

/** Where the repaired copy lacks or changes something that was sent. Null is a way to send nothing. */
function findRepair(sent: unknown, repaired: unknown, path: string): string | undefined {
  if (sent === repaired || sent === null) return undefined;
  if (!isContainer(sent) || !isContainer(repaired) || Array.isArray(sent) !== Array.isArray(repaired)) {
    return `${path}: unusable value ${JSON.stringify(sent)?.slice(0, MAX_QUOTED)}`;
  }
  if (Array.isArray(sent) && sent.length !== Object.keys(repaired).length) return `${path}: a list with unusable items`;
  for (const [key, value] of Object.entries(sent)) {
    const found = findRepair(value, (repaired as Record<string, unknown>)[key], path === '' ? key : `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

const MAX_QUOTED = 80;

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
