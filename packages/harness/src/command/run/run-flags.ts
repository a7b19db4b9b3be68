import { resolve } from 'node:path';
import { readCount, requireChoice, usageError } from '@parley/host/command-line';
import type { Command } from 'commander';
import type { WorkspaceOptions } from '../../workspaces/workspace.ts';

/** The flags of `capture` and `trials` besides those that all commands share. */
export interface EvalFlags {
  readonly output?: string;
  readonly append?: boolean;
  readonly resume?: boolean;
  readonly force?: boolean;
  readonly grader?: string;
  readonly graderTimeout?: string;
  readonly concurrency?: string;
  readonly inOrder?: boolean;
  readonly fresh?: boolean;
  readonly template?: string;
  readonly worktree?: string | boolean;
  readonly workspaceDir?: string;
  readonly keep?: string;
  readonly changes?: boolean;
  readonly progress?: boolean;
  readonly failUnder?: string;
  readonly junit?: string;
  /** Of `trials`. */
  readonly k?: string;
  readonly trials?: string;
}

/** The flags that both commands have. */
export function addEvalFlags(command: Command): Command {
  return command
    .argument('<cases>', 'JSON lines of cases; - for stdin')
    .argument('[command...]', 'after --: the agent, with its own flags')
    .option('-o, --output <file>', 'write the results there; stdout unless given')
    .option('--resume', 'go on with a file that a broken run has left: cases that are in it are skipped')
    .option('--append', 'add to a file that exists')
    .option('--force', 'replace a file that exists')
    .option('-g, --grader <grader>', 'judges each attempt: a module, any program, or a built-in one: contains:Paris')
    .option('--grader-timeout <seconds>', 'longest time for one judgement (60)')
    .option('-j, --concurrency <n>', 'attempts at a time, each with an agent of its own (1)')
    .option('--in-order', 'results in the order of the cases')
    .option('--fresh', 'an empty folder for each attempt')
    .option('--template <dir>', 'a copy of this folder for each attempt')
    .option('--worktree [commit]', 'a git worktree of this repository for each attempt (HEAD)')
    .option('--workspace-dir <dir>', 'make those folders there, and keep them')
    .option('--keep <which>', 'which of those folders stay: always, failed or never')
    .option('--no-changes', 'do not measure what was changed in them')
    .option('--no-progress', 'say nothing while it runs')
    .option('--fail-under <share>', 'exit with 1 when fewer pass: 0.8')
    .option('--junit <file>', 'write a JUnit report, for CI');
}

/** The flags, checked; a number that is none is told before anything runs. */
export interface EvalSettings {
  readonly concurrency: number;
  readonly graderTimeoutMs: number;
  readonly workspace: WorkspaceOptions;
  readonly failUnder: number | undefined;
  readonly mode: 'new' | 'append' | 'replace';
}

export function readEvalSettings(flags: EvalFlags, cwd: string, personCwd: string): EvalSettings {
  const chosen = [flags.resume && '--resume', flags.append && '--append', flags.force && '--force'].filter(Boolean);
  if (chosen.length > 1) throw usageError(`${chosen.join(' and ')} contradict each other; give one of them.`);
  if (flags.resume && (flags.output === undefined || flags.output === '-'))
    throw usageError('--resume needs the file of the broken run.', '-o results.jsonl --resume');
  return {
    concurrency: readCount('--concurrency', flags.concurrency, { min: 1, max: MAX_CONCURRENCY }) ?? 1,
    graderTimeoutMs: 1000 * (readNumber('--grader-timeout', flags.graderTimeout, { above: 0 }) ?? 60),
    workspace: readWorkspace(flags, cwd, personCwd),
    failUnder: readShare(flags.failUnder),
    mode: flags.force ? 'replace' : flags.append || flags.resume ? 'append' : 'new',
  };
}

/** More agents at a time are more than a machine has memory for. */
const MAX_CONCURRENCY = 1000;

function readWorkspace(flags: EvalFlags, cwd: string, personCwd: string): WorkspaceOptions {
  const { fresh, template, worktree, workspaceDir, changes } = flags;
  const kinds = [fresh && '--fresh', template !== undefined && '--template', worktree && '--worktree'].filter(Boolean);
  if (kinds.length > 1) throw usageError(`${kinds.join(' and ')} contradict each other; give one of them.`);
  const isShared = kinds.length === 0 && workspaceDir === undefined;
  if (isShared && flags.keep !== undefined)
    throw usageError(
      '--keep is about folders of their own; there are none.',
      '--fresh',
      '--template <dir>',
      '--worktree',
    );
  if (isShared) return { kind: 'shared', from: cwd };
  const keep = requireChoice('--keep', flags.keep ?? (workspaceDir === undefined ? 'never' : 'always'), [
    'always',
    'failed',
    'never',
  ] as const);
  const common = {
    keep,
    measuresChanges: changes !== false,
    ...(workspaceDir !== undefined && { folder: resolve(personCwd, workspaceDir) }),
  };
  if (template !== undefined) return { ...common, kind: 'template', from: resolve(personCwd, template) };
  if (!worktree) return { ...common, kind: 'empty' };
  return { ...common, kind: 'worktree', from: cwd, ...(typeof worktree === 'string' && { commit: worktree }) };
}

function readShare(text: string | undefined): number | undefined {
  const share = readNumber('--fail-under', text, { above: Number.NEGATIVE_INFINITY });
  if (share === undefined || (share >= 0 && share <= 1)) return share;
  throw usageError(`--fail-under is a share from 0 to 1, not "${text}".`, '--fail-under 0.8');
}

function readNumber(flag: string, text: string | undefined, { above }: { readonly above: number }): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > above) return value;
  throw usageError(`${flag} is a number${above === 0 ? ' above 0' : ''}, not "${text}".`);
}
