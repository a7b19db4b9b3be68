import type { Usage } from './format.ts';

/** What a command line was asked to do. */
export interface Invocation {
  readonly prompt?: string;
  readonly sessionId?: string;
  readonly isResumed: boolean;
  /** Whether prompts come on stdin, as lines of JSON. */
  readonly readsLines: boolean;
  readonly hasPieces: boolean;
}

/** Reads arguments as the program does, or throws with what it would say. */
export function readArguments(usage: Usage, argv: readonly string[]): Invocation {
  const flags = new Map<string, string>();
  const plain: string[] = [];
  let { rest, sessionId } = readWords(usage, argv);
  while (rest.length > 0) {
    const [argument = '', next] = rest;
    rest = rest.slice(1);
    if (argument === '--') {
      plain.push(...rest);
      break;
    }
    const joined = /^(--[^=]+)=(.*)$/s.exec(argument);
    if (joined?.[1] !== undefined && usage.values.includes(joined[1])) {
      flags.set(joined[1], joined[2] ?? '');
      continue;
    }
    const isValue = usage.values.includes(argument);
    if (isValue || argument === usage.resumeWord) {
      // yargs reads a word with a dash as the next option.
      if (next === undefined || next.startsWith('-')) throw new Error(`option '${argument}' argument missing`);
      rest = rest.slice(1);
      if (isValue) flags.set(argument, next);
      else sessionId = next;
    } else if (usage.switches.includes(argument)) flags.set(argument, '');
    else if (argument.startsWith('-')) throw new Error(`unknown option '${argument}'`);
    else plain.push(argument);
  }
  const has = (wanted: string): boolean => {
    const [flag = '', value] = wanted.split('=');
    return flags.has(flag) && (value === undefined || flags.get(flag) === value);
  };
  const missing = usage.needs.filter((wanted) => !has(wanted));
  if (missing.length > 0) throw new Error(`would not write lines of JSON without ${missing.join(' ')}`);
  if (plain.length > 1) throw new Error(`unexpected argument '${plain[1]}'`);
  const id = sessionId ?? (usage.resume === undefined ? undefined : flags.get(usage.resume));
  const prompt = plain[0] ?? usage.prompts?.map((flag) => flags.get(flag)).find((each) => each !== undefined);
  return {
    ...(prompt !== undefined && { prompt }),
    ...(id !== undefined && { sessionId: id }),
    isResumed: id !== undefined && (usage.resumeSwitch === undefined || flags.has(usage.resumeSwitch)),
    readsLines: usage.linesIn !== undefined && has(usage.linesIn),
    hasPieces: usage.pieces !== undefined && has(usage.pieces),
  };
}

function readWords(
  { words = [], resumeWords }: Usage,
  argv: readonly string[],
): { rest: readonly string[]; sessionId: string | undefined } {
  const startsWith = (expected: readonly string[]): boolean => expected.every((word, index) => argv[index] === word);
  if (resumeWords && startsWith(resumeWords)) {
    return { rest: argv.slice(resumeWords.length + 1), sessionId: argv[resumeWords.length] };
  }
  if (!startsWith(words)) throw new Error(`unknown command '${argv[0] ?? ''}'`);
  return { rest: argv.slice(words.length), sessionId: undefined };
}
