/** The variables of a process; `process.env` fits. */
export type Environment = Readonly<Record<string, string | undefined>>;

const SECRET_NAME = /KEY|TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|COOKIE|BEARER|_JWT$|_PAT$|_PWD$|_PASS$|_AUTH$/;
/** Logins that Parley hands to agents begin with `PARLEY_AUTH_`. */
const MODEL_KEY_NAME = /API_KEY$|AUTH_TOKEN$|ACCESS_TOKEN$|BEARER_TOKEN|^PARLEY_AUTH_/;
/** An address with a password in it: `postgres://me:secret@host/db`. */
const SECRET_ADDRESS = /:\/\/[^\s/@:]*:[^\s/@]+@/;

/** True if a variable looks like a key, a token or a password, by its name or its value. */
export function isSecretVariable(name: string, value: string): boolean {
  return hasSecretName(name) || SECRET_ADDRESS.test(value);
}

export function hasSecretName(name: string): boolean {
  const upper = name.toUpperCase();
  return SECRET_NAME.test(upper) || MODEL_KEY_NAME.test(upper);
}

/** True for the names of variables that hold the key or token of a model provider. */
export function isModelKey(name: string): boolean {
  return MODEL_KEY_NAME.test(name.toUpperCase());
}

/** An environment in two parts. */
export interface SplitEnvironment {
  readonly plain: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}

/** Separates the variables that look secret from the others; unset variables are dropped. */
export function splitSecrets(env: Environment): SplitEnvironment {
  const plain: Record<string, string> = {};
  const secrets: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    (isSecretVariable(name, value) ? secrets : plain)[name] = value;
  }
  return { plain, secrets };
}
