import { UsageError } from '../../errors.ts';

/** Where an agent is: a command to run, or a server to dial. */
export type AgentAddress = CommandAddress | NetworkAddress;

export interface CommandAddress {
  readonly kind: 'command';
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment that the agent gets anyway. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface NetworkAddress {
  readonly kind: 'websocket' | 'http';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Reads an address as a person writes it: `ws(s)://`, `http(s)://`, or a command line with quotes as in a shell. */
export function parseAddress(text: string): AgentAddress {
  const trimmed = text.trim();
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(trimmed)?.[1]?.toLowerCase();
  if (scheme === undefined) return parseCommand(trimmed);
  if (!URL.canParse(trimmed)) throw new UsageError('invalid_settings', `"${trimmed}" is not a valid URL.`);
  if (scheme === 'ws' || scheme === 'wss') return { kind: 'websocket', url: trimmed };
  if (scheme === 'http' || scheme === 'https') return { kind: 'http', url: trimmed };
  throw new UsageError(
    'invalid_settings',
    `An agent cannot be reached by "${scheme}:"; use a command, ws(s):// or http(s)://.`,
  );
}

/** The address as a person would write it. Never shows headers or environment, which may hold secrets. */
export function formatAddress(address: AgentAddress): string {
  if (address.kind !== 'command') return address.url.replace(/\/\/[^/@]*@/, '//');
  return [address.command, ...address.args].map(quote).join(' ');
}

function parseCommand(text: string): CommandAddress {
  const [command, ...args] = splitWords(text);
  if (command === undefined || command === '') {
    throw new UsageError('invalid_settings', 'No agent given: name a command, such as `gemini --acp`, or a URL.');
  }
  return { kind: 'command', command, args };
}

/** Splits at white space; single and double quotes and backslashes keep it, as in a POSIX shell. Nothing is expanded. */
function splitWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quoted: '"' | "'" | undefined;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] as string;
    if (character === '\\' && quoted !== "'") {
      index += 1;
      word = (word ?? '') + (text[index] ?? '');
    } else if (quoted !== undefined) {
      if (character === quoted) quoted = undefined;
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quoted = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quoted !== undefined)
    throw new UsageError('invalid_settings', `The command has a ${quoted} that is never closed: ${text}`);
  if (word !== undefined) words.push(word);
  return words;
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
