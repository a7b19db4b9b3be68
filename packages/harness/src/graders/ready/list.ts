import { command } from './command.ts';
import { contains } from './contains.ts';
import { equals } from './equals.ts';
import { json } from './json.ts';
import { judge } from './judge.ts';
import type { ReadyGrader } from './ready-grader.ts';
import { regex } from './regex.ts';

/** Every grader that comes with this package, in the order of the help. */
export const READY_GRADERS: readonly ReadyGrader[] = [contains, equals, regex, json, command, judge];

/** The grader that a word means, and the argument after its name: `contains:Paris`. */
export function findReadyGrader(
  word: string,
): { readonly grader: ReadyGrader; readonly argument: string | undefined } | undefined {
  const at = word.indexOf(':');
  const name = at < 0 ? word : word.slice(0, at);
  const grader = READY_GRADERS.find((each) => each.name === name);
  return grader && { grader, argument: at < 0 ? undefined : word.slice(at + 1) };
}
