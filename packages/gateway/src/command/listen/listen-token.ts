import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { CliError, type CommandContext } from '@parley/host/command-line';
import { makeFolder } from '@parley/host/places';

export interface ListenToken {
  readonly token: string;
  /** Where it is kept; undefined when the environment has it. */
  readonly tokenFile: string | undefined;
  /** Whether it was made just now. */
  readonly isNew: boolean;
}

/** Where a token is kept that no flag and no variable names. */
interface StateFolder {
  readonly state: string;
}

/**
 * What clients of the agent must send: the token of `--token-file`, of `PARLEY_TOKEN`, or the one that the first start has made
 * and kept in the state folder.
 */
export async function readListenToken(
  { tokenFile }: { readonly tokenFile?: string | undefined },
  { state }: StateFolder,
  { env, cwd }: Pick<CommandContext, 'env' | 'cwd'>,
): Promise<ListenToken> {
  const path = listenTokenFile({ tokenFile }, { state }, { env, cwd });
  if (path === undefined) return { token: requireOwn(env.PARLEY_TOKEN ?? ''), tokenFile: path, isNew: false };
  const kept = await readKept(path);
  if (kept !== undefined) return { token: requireToken(kept, path), tokenFile: path, isNew: false };
  const token = randomBytes(32).toString('base64url');
  try {
    await makeFolder(dirname(path));
    await writeFile(path, `${token}\n`, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    // Another start was faster; its token counts.
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'EEXIST')
      throw new CliError('settings_invalid', `A token cannot be kept in ${path}: ${code}.`, {
        cause,
        next: ['--token-file <file in a folder that you may write to>'],
      });
    return { token: requireToken((await readKept(path)) ?? '', path), tokenFile: path, isNew: false };
  }
  return { token, tokenFile: path, isNew: true };
}

/** The file that has the token, or will have it; undefined when the environment has it. */
export function listenTokenFile(
  { tokenFile }: { readonly tokenFile?: string | undefined },
  { state }: StateFolder,
  { env, cwd }: Pick<CommandContext, 'env' | 'cwd'>,
): string | undefined {
  if (tokenFile !== undefined) return resolve(cwd, tokenFile);
  return env.PARLEY_TOKEN ? undefined : join(state, 'agent-token');
}

/** A token that somebody has written to a file: one word. */
export async function readTokenFile(path: string): Promise<string> {
  const kept = await readKept(path);
  if (kept !== undefined) return requireToken(kept, path);
  throw new CliError('settings_invalid', `There is no token file ${path}.`, {
    next: [`(umask 077; openssl rand -hex 32 > ${path})`],
  });
}

async function readKept(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new CliError('settings_invalid', `The token cannot be read from ${path}: ${code}.`, { cause });
  }
}

/** True for a word that may be sent in a header and is too long to be guessed. */
export function isToken(token: string): boolean {
  return token.length >= MIN_TOKEN_CHARACTERS && /^[\x21-\x7e]+$/.test(token);
}

const MIN_TOKEN_CHARACTERS = 16;
/** What a token is, for error messages. */
export const TOKEN_FORMAT: string = `one word of at least ${MIN_TOKEN_CHARACTERS} plain characters`;

function requireOwn(token: string): string {
  if (isToken(token)) return token;
  throw new CliError('settings_invalid', `PARLEY_TOKEN has no token: ${TOKEN_FORMAT}.`, {
    next: ['export PARLEY_TOKEN="$(openssl rand -hex 32)"'],
  });
}

function requireToken(text: string, path: string): string {
  const token = text.trim();
  if (isToken(token)) return token;
  throw new CliError('settings_invalid', `${path} has no token: ${TOKEN_FORMAT}.`, {
    next: ['remove the file, and the next start makes a token'],
  });
}
