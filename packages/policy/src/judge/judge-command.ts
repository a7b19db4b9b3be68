import { matchesText } from '../glob.ts';
import { FILE_COMMANDS, PERMISSION_MODES } from '../modes/permission-modes.ts';
import { coversAddress, isExact, matchCommand, spellsOut, writesSettings } from '../pattern/command-pattern.ts';
import { matchCommandWide } from '../pattern/wide-command.ts';
import { isTargetInside, wordTarget } from '../rules/target.ts';
import type { CommandPart, FileUse, Inner, Part } from '../shell/analysis.ts';
import { programName } from '../shell/program-name.ts';
import { literalWord, type ShellWord } from '../shell/words/shell-word.ts';
import { isAbsolute, normalizePath } from '../workspace/paths.ts';
import { type Finding, strictest } from './decision.ts';
import { type FileOperation, findFileAllow, judgeFile, judgeHard } from './judge-file.ts';
import type { CommandIndex, CompiledRule, Policy } from './policy.ts';
import { repositoryGap } from './repository-gap.ts';

/** Judges one part of a command line. `tool` is the name of the tool that would run it. */
export function judgePart(policy: Policy, part: Part, tool: string): Finding {
  if (part.type === 'opaque') {
    return {
      verdict: 'ask',
      reason: policy.hasDenyRules ? 'may-be-denied' : 'opaque',
      text: part.text,
      detail: part.because,
    };
  }
  if (part.type === 'file') {
    const target = wordTarget(part.word, part.directories, policy.workspace, { isTree: false });
    return judgeFile(policy, { text: part.text, access: part.access, target });
  }
  return judgeCommand(policy, part, tool);
}

function judgeCommand(policy: Policy, part: CommandPart, tool: string): Finding {
  const inner = part.inner?.parts.map((nested) => judgePart(policy, nested, tool)) ?? [];
  const isElsewhere = part.inner?.needs === 'outer';
  const operations = part.files.map((use) => operationOf(policy, part, use));
  const hard = strictest([
    ...rulesAgainst(policy, part, tool),
    ...operations.flatMap((operation) => judgeHard(policy, operation) ?? []),
    ...(isElsewhere ? inner.filter(isByRule).map(asQuestion) : inner.filter(isHard)),
  ]);
  if (hard !== undefined) return hard;

  const { rule, gap } = findAllow(policy, part, tool, operations);
  const innerGap = rule && part.inner ? gapInside(policy, part.inner, rule) : undefined;
  const isInnerAllowed = inner.every((finding) => finding.verdict === 'allow');
  if (part.inner === undefined) {
    if (rule) return allowedBy(rule, part);
  } else if (rule && (innerGap === undefined || (isInnerAllowed && !isElsewhere))) {
    return allowedBy(rule, part);
  } else if (
    part.inner.needs === 'inner' &&
    gap === undefined &&
    isInnerAllowed &&
    inner[0] &&
    hasNoOwnGap(policy, part)
  ) {
    return { ...inner[0], text: part.text };
  }
  if (part.isHarmless && hasAllowRules(policy) && hasNoOwnGap(policy, part))
    return { verdict: 'allow', reason: 'harmless', text: part.text };
  if (isFileOperation(policy, part)) return { verdict: 'allow', reason: 'mode', text: part.text };
  if (gap) return gap;
  if (innerGap && innerGap.reason !== 'no-rule') return innerGap;
  const question = inner.find((finding) => finding.verdict !== 'allow');
  if (question && !isElsewhere) return question;
  const outside = part.isHarmless ? firstGap(policy, part, undefined) : undefined;
  return outside ?? { verdict: 'ask', reason: 'no-rule', text: part.text };
}

function allowedBy(by: CompiledRule, part: CommandPart): Finding {
  return { verdict: 'allow', reason: 'rule', text: part.text, rule: by.rule };
}

/** Deny and ask rules in their wide reading. */
function rulesAgainst(policy: Policy, part: CommandPart, tool: string): Finding[] {
  const findings: Finding[] = [];
  for (const effect of ['deny', 'ask'] as const) {
    for (const compiled of candidates(policy.commands[effect], part, true)) {
      if (compiled.command === undefined || !isAbout(compiled, tool, true)) continue;
      const match = matchCommandWide(compiled.command, part);
      if (match === 'no') continue;
      const isDenied = effect === 'deny' && match === 'yes';
      const reason = effect === 'deny' && match === 'maybe' ? 'may-be-denied' : 'rule';
      findings.push({ verdict: isDenied ? 'deny' : 'ask', reason, text: part.text, rule: compiled.rule });
    }
    for (const { rule } of part.mayRun.flatMap((words) => rulesFor(policy.commands[effect], words)))
      findings.push({ verdict: 'ask', reason: effect === 'deny' ? 'may-be-denied' : 'rule', text: part.text, rule });
  }
  return findings;
}

/** The rules that name the program of a command that may run. */
function rulesFor(index: CommandIndex, [first, ...rest]: readonly ShellWord[]): readonly CompiledRule[] {
  const name = programName(first?.value ?? '').toLowerCase();
  const words = [literalWord(name), ...rest];
  const named = index.byProgram.get(name)?.filter((compiled) => !index.others.includes(compiled)) ?? [];
  return named.filter(({ command }) => command && matchCommand(command, words, true) !== 'no');
}

/** An allow rule that covers the command with everything in it, or the first thing that a matching rule leaves open. */
function findAllow(
  policy: Policy,
  part: CommandPart,
  tool: string,
  operations: readonly FileOperation[],
): { readonly rule?: CompiledRule; readonly gap?: Finding } {
  let gap: Finding | undefined;
  const written = spellings(part);
  for (const compiled of candidates(policy.commands.allow, part, false)) {
    const pattern = compiled.command;
    if (pattern === undefined || !isAbout(compiled, tool, false)) continue;
    if (!written.some((words) => matchCommand(pattern, words, false) === 'yes')) continue;
    const open = firstGap(policy, part, compiled, operations);
    if (open === undefined) return { rule: compiled };
    gap ??= open;
  }
  return gap ? { gap } : {};
}

/** What of a command its rule does not cover: an argument that must be written out, or a file outside the workspace. */
function firstGap(
  policy: Policy,
  part: CommandPart,
  by: CompiledRule | undefined,
  operations: readonly FileOperation[] = part.files.map((use) => operationOf(policy, part, use)),
  isInner = false,
): Finding | undefined {
  const pattern = by?.command;
  if (pattern?.isEverything) return undefined;
  const about = { text: part.text, ...(by ? { rule: by.rule } : {}) };
  const [setting] = part.environment;
  // Within a command that a rule writes out word by word, the settings are written out as well.
  const isWritten = isInner && pattern !== undefined && isExact(pattern);
  if (setting && !isWritten && (pattern === undefined || !writesSettings(pattern, part.environment)))
    return { verdict: 'ask', reason: 'not-covered', ...about, detail: `${setting.text} changes what the program does` };
  const danger = part.dangers.find((found) => pattern === undefined || !spellsOut(pattern, found.words, found.name));
  if (danger)
    return {
      verdict: 'ask',
      reason: 'not-covered',
      ...about,
      detail: `${danger.words.map((word) => word.text).join(' ')} ${danger.because}`,
    };
  const address = pattern && part.addresses.find((word) => !coversAddress(pattern, word));
  if (address)
    return {
      verdict: 'ask',
      reason: 'not-covered',
      ...about,
      detail: `${address.text} is an address that the rule does not name`,
    };
  const repository = part.usesRepository ? repositoryGap(policy, part) : undefined;
  if (repository !== undefined) return { verdict: 'ask', reason: 'not-covered', ...about, detail: repository };
  for (const [index, use] of part.files.entries()) {
    if (use.isGuess) continue;
    const operation = operations[index] ?? operationOf(policy, part, use);
    const inside = isTargetInside(operation.target, policy.workspace);
    if (HARMLESS_DEVICES.test(use.word.value ?? '')) continue;
    if (use.besides) {
      if (
        (pattern && spellsOut(pattern, use.besides.words, use.besides.name)) ||
        judgeFile(policy, operation).verdict === 'allow'
      )
        continue;
      return {
        verdict: 'ask',
        reason: 'not-covered',
        ...about,
        detail: `${use.besides.words.map((word) => word.text).join(' ')} ${use.besides.because}`,
      };
    }
    if (inside === 'yes') continue;
    if (pattern && isWrittenOut(use.word, pattern.words)) continue;
    if (findFileAllow(policy, operation, false)) continue;
    const detail =
      inside === 'maybe' ? `${use.word.text} is only known when it runs` : `${use.word.text} is outside the workspace`;
    return { verdict: 'ask', reason: inside === 'maybe' ? 'not-covered' : 'outside', ...about, detail };
  }
  return undefined;
}

/**
 * What a rule for the outer command leaves open of the inner ones: it must write their program out, and covers their arguments
 * no further than its own. Where the inner command is not plain to see, its beginning is all that can be asked for.
 */
function gapInside(policy: Policy, inner: Inner, by: CompiledRule): Finding | undefined {
  const text = inner.program.map((word) => word.text).join(' ');
  if (by.command === undefined || !spellsOut(by.command, inner.program, ''))
    return { verdict: 'ask', reason: 'no-rule', text, rule: by.rule };
  if (by.command.isEverything || inner.needs === 'outer') return undefined;
  for (const part of inner.parts) {
    const gap =
      part.type === 'command'
        ? (firstGap(policy, part, by, undefined, true) ?? (part.inner && gapInside(policy, part.inner, by)))
        : judgePart(policy, part, '');
    if (gap !== undefined && gap.verdict !== 'allow') return gap;
  }
  return undefined;
}

function hasNoOwnGap(policy: Policy, part: CommandPart): boolean {
  return firstGap(policy, part, undefined) === undefined;
}

/** A path that a rule writes out is covered even outside the workspace; a wildcard does not climb with "..". */
function isWrittenOut(
  word: ShellWord,
  pattern: readonly { readonly glob?: readonly number[]; readonly literal?: string }[],
): boolean {
  const value = word.value;
  if (value === undefined) return false;
  return pattern.some((expected) => {
    if (expected.glob === undefined) return false;
    if (expected.literal !== undefined) return expected.literal === value;
    return isAbsolute(value) && normalizePath(value) === value && matchesText(expected.glob, value);
  });
}

/** `mkdir`, `rm` and `mv` within the workspace are file operations, which some modes approve. */
function isFileOperation(policy: Policy, part: CommandPart): boolean {
  if (PERMISSION_MODES[policy.mode].approvesFileCommands !== true) return false;
  if (!FILE_COMMANDS.has(part.words[0]?.value ?? '') || part.files.length === 0) return false;
  return firstGap(policy, part, undefined) === undefined;
}

function operationOf(policy: Policy, part: CommandPart, use: FileUse): FileOperation {
  const target = wordTarget(use.word, part.directories, policy.workspace, use);
  return {
    text: part.text,
    access: use.access,
    target,
    isCopied: use.isCopied ?? false,
    isRecorded: use.isFromRoot ?? false,
  };
}

/** The rules that can be about this program, without looking at the others. */
function candidates(index: CommandIndex, part: CommandPart, isWide: boolean): readonly CompiledRule[] {
  if (index.byProgram.size === 0) return index.others;
  const name = part.words[0]?.value ?? '';
  const [full, setting] = [isWide ? name.toLowerCase() : name, part.environment[0]?.value];
  const plain = programName(full);
  if (plain === full && setting === undefined) return index.byProgram.get(full) ?? index.others;
  const names = new Set([full, plain, (isWide ? setting?.toLowerCase() : setting) ?? full]);
  return [...names].flatMap((each) => index.byProgram.get(each) ?? index.others);
}

function isAbout(compiled: CompiledRule, tool: string, isWide: boolean): boolean {
  if (compiled.nameGlob !== undefined) return matchesText(compiled.nameGlob, isWide ? tool.toLowerCase() : tool);
  return compiled.kinds?.includes('execute') ?? false;
}

/** The ways to write the same command: as it is, by its plain name, without its own options; always with its settings. */
function spellings(part: CommandPart): readonly (readonly ShellWord[])[] {
  const first = part.words[0];
  if (first === undefined) return [];
  const written: (readonly ShellWord[])[] = [part.words];
  if (part.plainWords) written.push(part.plainWords);
  if (SYSTEM_PROGRAM.test(first.value ?? ''))
    written.push([literalWord(programName(first.value ?? '')), ...part.words.slice(1)]);
  const { environment } = part;
  return environment.length === 0 ? written : written.map((words) => [...environment, ...words]);
}

function isHard(finding: Finding): boolean {
  return (
    isByRule(finding) ||
    (finding.verdict !== 'allow' && (finding.reason === 'protected' || finding.reason === 'opaque'))
  );
}

function isByRule(finding: Finding): boolean {
  return finding.verdict !== 'allow' && (finding.reason === 'rule' || finding.reason === 'may-be-denied');
}

/** In a line whose command is not plain to see, a deny rule that seems to match is a question. */
function asQuestion(finding: Finding): Finding {
  return { ...finding, verdict: 'ask', reason: finding.verdict === 'deny' ? 'may-be-denied' : finding.reason };
}

function hasAllowRules(policy: Policy): boolean {
  return policy.commands.allow.byProgram.size > 0 || policy.commands.allow.others.length > 0;
}

const HARMLESS_DEVICES = /^\/dev\/(?:null|zero|stdin|stdout|stderr|tty|fd\/\d+)$/;
const SYSTEM_PROGRAM = /^\/(?:usr\/(?:local\/)?|opt\/homebrew\/)?s?bin\/[^/]+$/;
