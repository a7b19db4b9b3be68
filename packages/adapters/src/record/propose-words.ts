import type { Description } from '../description/description.ts';

export type ProposedWords = Pick<Description, 'command' | 'prompt' | 'output'>;

export interface RecordedUse {
  readonly argv: readonly string[];
  /** The prompt that it was given, where that is known. */
  readonly prompt?: string | undefined;
  /** Something was written to its stdin. */
  readonly hasInput: boolean;
}

const PROMPT_FLAGS = /^(-p|-m|-q|-i|-x|-t|--print|--prompt|--message|--query|--execute|--text|--task|--input)$/;
const OUTPUT_FLAGS = /^(-o|-f|--output-format|--format|--output|--output-mode)$/;
const OUTPUT_SWITCHES = /^(--json|--jsonl|--stream-json|--experimental-json)$/;

/** Which words of a command line are the prompt and the output format; the others are the command. */
export function proposeWords({ argv, prompt, hasInput }: RecordedUse): ProposedWords {
  const promptAt = findPrompt(argv, prompt, hasInput);
  const flag = promptAt === undefined ? undefined : argv[promptAt - 1];
  const hasFlag = flag !== undefined && PROMPT_FLAGS.test(flag);
  const outputAt = argv.findIndex(
    (word, index) =>
      OUTPUT_SWITCHES.test(word) || (OUTPUT_FLAGS.test(word) && /json|stream/.test(argv[index + 1] ?? '')),
  );
  const isSwitch = OUTPUT_SWITCHES.test(argv[outputAt] ?? '');
  const taken = new Set([
    ...(promptAt === undefined ? [] : [promptAt, ...(hasFlag ? [promptAt - 1] : [])]),
    ...(outputAt < 0 ? [] : [outputAt, ...(isSwitch ? [] : [outputAt + 1])]),
  ]);
  return {
    command: argv.filter((_, index) => !taken.has(index)),
    prompt: promptAt === undefined && hasInput ? { stdin: true } : hasFlag ? { flag } : {},
    output:
      outputAt < 0
        ? { flag: '', value: '' }
        : { flag: argv[outputAt] ?? '', value: isSwitch ? '' : (argv[outputAt + 1] ?? '') },
  };
}

function findPrompt(argv: readonly string[], prompt: string | undefined, hasInput: boolean): number | undefined {
  const at = (index: number): number | undefined => (index > 0 ? index : undefined);
  if (prompt !== undefined && argv.includes(prompt)) return at(argv.lastIndexOf(prompt));
  if (hasInput) return undefined;
  const spoken = at(argv.findLastIndex((word) => /\s/.test(word)));
  if (spoken !== undefined) return spoken;
  const flagged = argv.findIndex((word) => PROMPT_FLAGS.test(word));
  if (flagged > 0 && argv[flagged + 1]?.startsWith('-') === false) return flagged + 1;
  return argv.at(-1)?.startsWith('-') === false ? at(argv.length - 1) : undefined;
}
