import type { DialectChoice, DialectName, DialectSetting } from '@parley/dialects';
import { usageError } from '@parley/host/command-line';
import { didYouMean } from '@parley/host/json-files';

export type ChosenDialect = DialectName | 'auto';

/** Checks the name of a dialect: `auto` finds out, `none` is canonical ACP. */
export async function readDialect(word: string): Promise<ChosenDialect> {
  if (word === 'auto' || word === 'canonical') return word;
  if (word === 'none') return 'canonical';
  const { DIALECT_NAMES, isDialectName } = await import('@parley/dialects');
  if (isDialectName(word)) return word;
  const names = [...DIALECT_NAMES, 'auto', 'none'];
  throw usageError(`There is no dialect "${word}".${didYouMean(word, names)} There are ${names.join(', ')}.`);
}

export interface TellDialect {
  /** Whom it is about: `The agent`. */
  readonly peer: string;
  /** Also tells what the dialect could not carry. */
  readonly isVerbose: boolean;
  readonly say: (text: string) => void;
}

/** A dialect that tells the person what was found out, and, where they want to know, what is lost. */
export function dialectSetting(dialect: ChosenDialect, { peer, isVerbose, say }: TellDialect): DialectSetting {
  if (dialect === 'canonical') return dialect;
  return {
    dialect,
    onDialect: (choice) => {
      if (dialect === 'auto' || isVerbose) say(describe(choice, peer));
    },
    ...(isVerbose && { onNote: ({ row, text }) => say(`dialect: ${text}${row === undefined ? '' : ` (${row})`}`) }),
  };
}

function describe({ dialect, because }: DialectChoice, peer: string): string {
  if (because === 'configured') return `${peer} is spoken to in the ${dialect} dialect, as you said.`;
  return `${peer} speaks the ${dialect} dialect; Parley translates (${because}).`;
}
