import { eraseVariables } from './erase-variables.ts';
import { type Environment, isModelKey, isSecretVariable } from './secret-variables.ts';
import { readSecretsPipe, SECRETS_FD_VARIABLE } from './secrets-pipe.ts';

/**
 * This process's environment with the secrets that its parent handed over by a pipe. Call it first: it erases all secrets
 * from /proc/<pid>/environ, and removes model keys from `process.env`, so that child processes do not inherit them.
 */
export function takeEnvironment(): Environment {
  // Windows has no such block, and its `process.env` ignores the case of names, which a copy does not.
  if (process.platform === 'win32') return process.env;
  const handed = readSecretsPipe(process.env[SECRETS_FD_VARIABLE]);
  delete process.env[SECRETS_FD_VARIABLE];
  const secrets = Object.entries(process.env).flatMap(([name, value = '']) =>
    isSecretVariable(name, value) ? [name] : [],
  );
  if (secrets.length > 0) eraseVariables(secrets);
  Object.assign(process.env, handed);
  const environment = { ...process.env };
  for (const name of Object.keys(environment)) if (isModelKey(name)) delete process.env[name];
  return environment;
}

/** Keeps variables with other names than usual, such as those of `keyEnv`, from child processes and /proc/<pid>/environ. */
export function hideVariables(names: readonly string[]): void {
  const set = names.filter((name) => process.env[name] !== undefined);
  if (set.length === 0) return;
  eraseVariables(set);
  for (const name of set) delete process.env[name];
}
