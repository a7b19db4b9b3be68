import { MARK_PATTERN } from './mask-quotes.ts';

/** What can be done to one file after the other. */
const VERBS =
  'read|open|cat|show|view|display|print|delete|remove|rm|explain|summari[sz]e|describe|review|check|look at|analy[sz]e';

const LIST = new RegExp(`^(?<verb>${VERBS})(?: me)?(?: both)? (?<names>.+)$`, 'i');
/** Two files side by side: rules can show them, the person compares. */
const COMPARISON =
  /^(?:compare|(?:show(?: me)? |what(?:'s| is) )?the difference between) (?<first>.+?),? (?:and|with|to|against) (?<second>.+)$/i;

const SEPARATOR = /,? and |, ?(?:and )?| & /i;
const NAME = new RegExp(`^(?:the )?(?:files? )?(?:contents? of )?(?<name>@?${MARK_PATTERN}|[^ ]+)$`, 'i');
/** Words that speak of no file by its name. */
const NO_NAME = /^(?:all|both|files?|folders?|director(?:y|ies)|everything)$/i;

/** Names side by side: all with an `@`, or as a shell has it, where a bare word or a flag may be anything. */
const MENTIONS = new RegExp(`^@(?:${MARK_PATTERN}|[^ ]+)(?: @(?:${MARK_PATTERN}|[^ ]+))+$`);
const SHELL_LIST = new RegExp(`^(?:cat|rm)(?: (?:${MARK_PATTERN}|[^ -][^ ]*[./][^ ]*)){2,}$`, 'i');

/** A file with an `@` that stands behind a step which has its own. */
const NEXT_MENTION = /(?: ?[,;.!] +(?:and +)?| +and +| +(?=then\b))(?:(?:also|then),? +)*(?=@)/i;

const MAX_STEP_CHARS = 2_000;

/** One step for each file of a step that names several: `show a and b` is `show a` and `show b`. */
export function splitNamedFiles(step: string): readonly string[] {
  if (step.length > MAX_STEP_CHARS) return [step];
  if (MENTIONS.test(step)) return step.split(' ');
  const { first, second } = COMPARISON.exec(step)?.groups ?? {};
  if (first !== undefined && second !== undefined) return spread('read', [first, second]) ?? [step];
  const { verb, names } = LIST.exec(step)?.groups ?? {};
  if (verb === undefined || names === undefined) return step.split(NEXT_MENTION);
  const isSpaced = MENTIONS.test(names) || SHELL_LIST.test(step);
  return spread(verb, names.split(isSpaced ? ' ' : SEPARATOR)) ?? step.split(NEXT_MENTION);
}

/** Undefined when a part is not the name of a file. */
function spread(verb: string, parts: readonly string[]): readonly string[] | undefined {
  const names = parts.map((part) => NAME.exec(part.trim())?.groups?.name);
  if (names.length < 2 || !names.every((name) => name !== undefined && !NO_NAME.test(name))) return undefined;
  return names.map((name) => `${verb} ${name}`);
}
