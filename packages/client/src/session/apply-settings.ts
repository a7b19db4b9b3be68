import { matchName } from '@parley/jsonrpc/internal';
import type { SessionConfigOption } from '@parley/protocol';
import type { Transcript } from '@parley/session';
import { UsageError } from '../errors.ts';
import { listValues } from './config-options.ts';

/** What a session is to be set to, in the words of a person, a settings file or a program. */
export interface SessionSettings {
  /** One of the agent's modes, by id, by name, or by a part that no other mode has. */
  readonly mode?: string | undefined;
  /** One of the agent's models, by id, by name, or by a part that only it has, or only older versions of it. */
  readonly model?: string | undefined;
  /** Values of the agent's options. Keys are ids, categories or names; a switch takes on, off, true, false, yes, no. */
  readonly settings?: Readonly<Record<string, string | boolean>> | undefined;
}

/** What a session was set to, in the agent's own words. */
export interface AppliedSettings {
  /** Undefined where the agent tells its modes as an option; then it is among the settings. */
  readonly mode?: string;
  /** Values by option id. */
  readonly settings: Readonly<Record<string, string | boolean>>;
}

export interface ApplySettingsOptions {
  /** Told what could not be set; the rest is set all the same. Default: the first problem is thrown. */
  readonly onProblem?: (error: unknown) => void;
}

/** The part of a session that settings need. */
export interface SettableSession {
  readonly transcript: Transcript;
  setMode(modeId: string): Promise<void>;
  setOption(optionId: string, value: string | boolean): Promise<void>;
}

/**
 * Sets mode, model and options of a session, in this order; nothing is sent for what is so already. What the agent does
 * not have is a `UsageError` that lists what it has.
 */
export async function applySettings(
  session: SettableSession,
  { mode, model, settings = {} }: SessionSettings,
  { onProblem }: ApplySettingsOptions = {},
): Promise<AppliedSettings> {
  const wanted: readonly (readonly [string, string | boolean | undefined])[] = [
    ['mode', mode],
    ['model', model],
    ...Object.entries(settings),
  ];
  let applied: AppliedSettings = { settings: {} };
  for (const [key, value] of wanted) {
    if (value === undefined) continue;
    try {
      const made = await applyOne(session, key, value);
      applied = { ...applied, ...made, settings: { ...applied.settings, ...made.settings } };
    } catch (error) {
      if (!onProblem) throw error;
      onProblem(error);
    }
  }
  return applied;
}

/** The option that a person means: by id, by category (`model`), or by name. */
export function findOption(options: readonly SessionConfigOption[], key: string): SessionConfigOption | undefined {
  return (
    options.find(({ id }) => id === key) ??
    options.find(({ category }) => category === key) ??
    options.find(({ name }) => isSameWord(name, key))
  );
}

async function applyOne(
  session: SettableSession,
  key: string,
  value: string | boolean,
): Promise<Partial<AppliedSettings>> {
  const { mode, options } = session.transcript;
  if (key === 'mode' && mode) {
    const word = String(value);
    const id = findByPart(mode.availableModes, word, (each) => each.id)?.id ?? word;
    if (id !== mode.currentModeId) await session.setMode(id);
    return { mode: id };
  }
  const option = findOption(options, key);
  if (!option) throw unknownOption(options, key, value);
  const known = readValue(option, value);
  if (known !== option.currentValue) await session.setOption(option.id, known);
  return { settings: { [option.id]: known } };
}

/** The value that a person means; what fits nothing is left as it is, and refused with a list of what there is. */
function readValue(option: SessionConfigOption, value: string | boolean): string | boolean {
  if (option.type === 'boolean') {
    const isOn = typeof value === 'boolean' ? value : SWITCH_WORDS[value.trim().toLowerCase()];
    if (isOn !== undefined) return isOn;
    throw new UsageError('unknown_choice', `Option "${option.id}" is on or off, not "${value}".`);
  }
  const word = String(value);
  const values = listValues(option);
  if (!BY_PART.has(option.category ?? '')) return findByWord(values, word, (each) => each.value)?.value ?? word;
  return findByPart(values, word, (each) => each.value)?.value ?? word;
}

/** Options whose values have long names, of which people know a part. */
const BY_PART: ReadonlySet<string> = new Set(['model', 'mode']);

const SWITCH_WORDS: Readonly<Record<string, boolean>> = {
  on: true,
  true: true,
  yes: true,
  off: false,
  false: false,
  no: false,
};

function findByWord<Choice extends { readonly name: string }>(
  choices: readonly Choice[],
  word: string,
  idOf: (choice: Choice) => string,
): Choice | undefined {
  return (
    choices.find((each) => idOf(each) === word) ??
    choices.find(({ name }) => name === word) ??
    choices.find((each) => isSameWord(idOf(each), word) || isSameWord(each.name, word))
  );
}

/** The same, or the one that a part of its id or name means. */
function findByPart<Choice extends { readonly name: string }>(
  choices: readonly Choice[],
  word: string,
  idOf: (choice: Choice) => string,
): Choice | undefined {
  const found = findByWord(choices, word, idOf);
  if (found) return found;
  const match = matchName(choices, word, (each) => [idOf(each), each.name]);
  if (match.kind === 'several') {
    const ids = match.items.map(idOf).join(', ');
    throw new UsageError('unknown_choice', `"${word}" may mean ${ids}; say more of the name.`);
  }
  return match.kind === 'one' ? match.item : undefined;
}

function isSameWord(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

function unknownOption(options: readonly SessionConfigOption[], key: string, value: string | boolean): UsageError {
  const known = options.map(({ id }) => id).join(', ') || 'no options';
  if (key === 'mode') return new UsageError('unknown_choice', `The agent has no mode "${value}"; it has no modes.`);
  const message =
    key === 'model'
      ? `The agent lets nobody choose its model, so "${value}" cannot be set; it has ${known}.`
      : `The agent has no option "${key}"; it has ${known}.`;
  return new UsageError('unknown_choice', message);
}
