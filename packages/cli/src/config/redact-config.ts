import { redact } from '@parley/session/traces/redact';
import { isRecord } from './check-config.ts';
import { getAt } from './config-path.ts';

/** A value that only says where the secret is: `${GITHUB_TOKEN}`, `Bearer ${TOKEN}`. */
const NAMES_VARIABLE = /^(\w+ )?\$\{\w+\}$/;

/**
 * A setting as it may be shown: the values of variables and headers, tokens and keys are left out. `path` is where it stands in the
 * settings, which tells what it is.
 */
export function redactConfig(value: unknown, path: readonly string[] = []): unknown {
  const whole = path.reduceRight<unknown>((inside, name) => ({ [name]: inside }), value);
  return keepVariables(value, getAt(redact(whole), path));
}

function keepVariables(value: unknown, shown: unknown): unknown {
  if (typeof value === 'string') return NAMES_VARIABLE.test(value) ? value : shown;
  if (Array.isArray(value) && Array.isArray(shown)) {
    return shown.map((item, index) => keepVariables(value[index], item));
  }
  if (!isRecord(value) || !isRecord(shown)) return shown;
  return Object.fromEntries(Object.entries(shown).map(([name, item]) => [name, keepVariables(value[name], item)]));
}
