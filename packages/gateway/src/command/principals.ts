import { createHash, timingSafeEqual } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { CliError, type CommandContext } from '@parley/host/command-line';
import { settingsPath } from '@parley/host/places';
import { isToken, readTokenFile, TOKEN_FORMAT } from './listen/listen-token.ts';
import type { ServerSettings, TokenSource } from './server-settings.ts';

/** The person who runs the server. */
export const OWNER = 'local';

/** Who is let in, by their tokens. */
export interface Principals {
  readonly names: readonly string[];
  /** What is not as it should be, though it works. */
  readonly warnings: readonly string[];
  /** The tokens themselves, as far as they are known, so that nothing writes them down. */
  readonly secrets: readonly string[];
  find(token: string | undefined): string | undefined;
}

export interface PrincipalsFrom {
  readonly tokens: ServerSettings['serve']['tokens'];
  /** The token of whoever runs the server. */
  readonly ownToken: string;
  /** The file that has it, if one has. */
  readonly ownTokenFile?: string | undefined;
  readonly places: Pick<ServerSettings['places'], 'config'>;
  readonly env: CommandContext['env'];
}

/** Reads the tokens of all who are let in. Only digests are kept. */
export async function readPrincipals({
  tokens = {},
  ownToken,
  ownTokenFile,
  places,
  env,
}: PrincipalsFrom): Promise<Principals> {
  const digests = new Map<string, Buffer>([[OWNER, digestOf(ownToken)]]);
  const warnings: string[] = [];
  const secrets = [ownToken];
  const watchFile = async (file: string | undefined, whose: string): Promise<void> => {
    if (file !== undefined && (await isLoose(file)))
      warnings.push(`${file} has the token of ${whose}, and others can read it: chmod 600 ${file}`);
  };
  await watchFile(ownTokenFile, 'this server');
  for (const [name, token] of Object.entries(tokens)) {
    requireName(name);
    const file =
      token.tokenFile === undefined ? undefined : settingsPath(token.tokenFile, { config: places.config, env });
    const given = await readToken(name, { ...token, ...(file !== undefined && { tokenFile: file }) }, env);
    if (typeof given === 'string') secrets.push(given);
    const digest = typeof given === 'string' ? digestOf(given) : given;
    const other = [...digests].find(([, each]) => each.equals(digest));
    if (other) throw bad(name, `it has the same token as "${other[0]}"`);
    digests.set(name, digest);
    await watchFile(file, `"${name}"`);
  }
  return {
    names: [...digests.keys()],
    warnings,
    secrets,
    find(token) {
      if (token === undefined) return undefined;
      const given = digestOf(token);
      // All are compared, so that time does not tell which.
      return [...digests].filter(([, each]) => timingSafeEqual(each, given)).at(0)?.[0];
    },
  };
}

/** The token, or its digest where the settings have no more. */
async function readToken(
  name: string,
  { tokenFile, tokenEnv, hash }: TokenSource,
  env: CommandContext['env'],
): Promise<string | Buffer> {
  const given = [tokenFile, tokenEnv, hash].filter((each) => each !== undefined);
  if (given.length !== 1) throw bad(name, 'give one of tokenFile, tokenEnv and hash');
  if (hash !== undefined) {
    const [, digits] = /^sha256:([0-9a-f]{64})$/i.exec(hash) ?? [];
    if (digits === undefined) throw bad(name, 'hash is sha256: and 64 hexadecimal digits');
    return Buffer.from(digits, 'hex');
  }
  if (tokenFile !== undefined) return readTokenFile(tokenFile);
  const token = env[tokenEnv ?? '']?.trim();
  if (token === undefined || !isToken(token))
    throw bad(name, `the environment variable ${tokenEnv} has no token: ${TOKEN_FORMAT}`);
  return token;
}

/** Names are part of where sessions are kept, and are shown in logs. */
function requireName(name: string): void {
  if (name === OWNER)
    throw bad(name, 'that is the name of whoever runs the server, whose token is that of --token-file');
  if (!/^[A-Za-z0-9][\w.@+-]{0,63}$/.test(name)) throw bad(name, 'a name has letters, digits and . _ @ + -');
}

async function isLoose(path: string): Promise<boolean> {
  return process.platform !== 'win32' && ((await stat(path)).mode & 0o077) !== 0;
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function bad(name: string, problem: string): CliError {
  return new CliError('settings_invalid', `serve.tokens.${name}: ${problem}.`, { next: ['parley config edit'] });
}
