import { text } from 'node:stream/consumers';
import { chooseNumber } from '@parley/chat/questions';
import { createTerminalTalk, type TerminalLines } from '@parley/chat/terminal-talk';
import { chooseMarks } from '@parley/chat/view';
import { EXIT_CODES, usageError } from '@parley/host/command-line';
import { didYouMean } from '@parley/host/json-files';
import { KEY_PROVIDERS, type KeyProvider } from '@parley/models/discovery';
import { loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import { findModels } from '../models/find-models.ts';
import { keysFile } from '../models/keys-file.ts';
import { changeStoredKey, isSet } from '../models/stored-keys.ts';

/** No key is longer; more than this is something else. */
const MAX_KEY_CHARACTERS = 10_000;

/** Asks for the key of a provider, or reads it from a pipe, and keeps it for our own agent; resolves to the exit code. */
export async function logIn(word: string | undefined, context: CliContext): Promise<number> {
  const given = word === undefined ? undefined : requireProvider(word);
  const asked = context.stdin.isTTY
    ? await ask(given, context)
    : { provider: given, key: await readPiped(given, context) };
  if (!asked?.provider) return EXIT_CODES.interrupted.code;
  const { provider } = asked;
  const key = checkKey(asked.key);
  const { places } = await loadConfig(context);
  await changeStoredKey(places, provider.provider, key);
  context.stderr.write(`Stored in ${keysFile(places)}, for you alone to read.\n`);
  if (isSet(provider.variables, context.env)) {
    context.stderr.write(`${provider.variables.join(' or ')} is set, too, and goes before it.\n`);
  }
  const { preferred } = await findModels({}, context);
  context.stdout.write(`New sessions begin with ${preferred.id} (${preferred.name}).\n`);
  return EXIT_CODES.ok.code;
}

/** The provider that a word names. */
export function requireProvider(word: string): KeyProvider {
  const found = KEY_PROVIDERS.find(({ provider }) => provider === word.toLowerCase());
  if (found) return found;
  const names = KEY_PROVIDERS.map(({ provider }) => provider);
  const meant = didYouMean(word, names) || ` There are ${names.join(', ')}.`;
  throw usageError(
    `There is no provider "${word}".${meant}`,
    'parley login',
    'parley config edit   (describes any server)',
  );
}

interface Answer {
  readonly provider: KeyProvider | undefined;
  readonly key: string;
}

async function ask(given: KeyProvider | undefined, context: CliContext): Promise<Answer | undefined> {
  const view = () => ({
    width: 80,
    marks: chooseMarks(context.env),
    cwd: context.cwd,
    home: context.env.HOME,
    isDetailed: false,
    showsThoughts: false,
    now: Date.now(),
  });
  const leaving = new AbortController();
  const stop = (): void => leaving.abort();
  process.once('SIGINT', stop);
  try {
    return await createTerminalTalk(context, { view, paint: { hasColor: false } }).hold(
      leaving.signal,
      async (lines) => {
        const provider = given ?? (await chooseProvider(lines));
        if (!provider) return undefined;
        const key = await lines.readSecret(`${provider.label} key (it is not shown): `);
        return key === undefined ? undefined : { provider, key };
      },
    );
  } finally {
    process.off('SIGINT', stop);
  }
}

async function chooseProvider(lines: TerminalLines): Promise<KeyProvider | undefined> {
  lines.say('Whose models shall Parley use? Paste a key once, and it is there the next time.');
  const index = await chooseNumber(
    KEY_PROVIDERS.map(({ label, provider }) => `${label} (${provider})`),
    lines,
  );
  return index === undefined ? undefined : KEY_PROVIDERS[index];
}

async function readPiped(provider: KeyProvider | undefined, { stdin }: CliContext): Promise<string> {
  if (provider) return await text(stdin);
  throw usageError('Nobody is there to be asked whose key it is.', 'parley login anthropic < key-file');
}

function checkKey(pasted: string): string {
  const key = pasted.trim();
  if (key === '') throw usageError('No key was given.', 'parley login');
  if (key.length > MAX_KEY_CHARACTERS || /\s/.test(key) || !/^[\x21-\x7e]+$/.test(key)) {
    throw usageError('This is no key: a key is one word without blanks.', 'parley login');
  }
  return key;
}
