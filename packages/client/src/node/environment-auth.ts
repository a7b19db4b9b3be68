import { type AuthOptions, credentialsFrom } from '../auth/auth-options.ts';

/** Credentials for agents, by the id of the authentication method they belong to. */
export interface EnvironmentAuth {
  /** For `spawnAgent({ env })`: each credential under the name that its agent looks for. */
  readonly env: Readonly<Record<string, string>>;
  /** For `connect({ auth })`: chooses the first offered method that has a credential, and sends it where that is asked for. */
  readonly auth: AuthOptions;
}

const PREFIX = 'PARLEY_AUTH_';

/**
 * Logs in by environment: `PARLEY_AUTH_<METHOD_ID>=secret` gives the agent a variable of the method's name
 * (`gemini-api-key` becomes `GEMINI_API_KEY`), and chooses that method when the agent wants a login.
 */
export function environmentAuth(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): EnvironmentAuth {
  const credentials = new Map<string, string>();
  for (const [name, value] of Object.entries(environment)) {
    if (name.startsWith(PREFIX) && name !== PREFIX && value) credentials.set(name.slice(PREFIX.length), value);
  }
  return {
    env: Object.fromEntries(credentials),
    auth: {
      method: ({ methods }) => methods.find(({ id }) => credentials.has(toVariable(id)))?.id,
      credentials: (method) => {
        const secret = credentials.get(toVariable(method.id));
        return secret === undefined ? undefined : credentialsFrom(method, secret);
      },
    },
  };
}

/** `gemini-api-key` -> `GEMINI_API_KEY`. */
function toVariable(methodId: string): string {
  return methodId.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
}
