import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { Transcript } from '@parley/client';
import { diffLines, splitLines } from '@parley/session/diff';
import type { ShownDiff } from '@parley/session/view';
import { type FileStep, fileStepsOf } from './file-steps.ts';
import { undoSteps } from './undo-steps.ts';

/** What a session has changed, as it stands now. */
export interface SessionChanges {
  /** Each file once: what it held before the session, against what it holds now. */
  readonly files: readonly ShownDiff[];
  /** Files of which the tools told, that hold again what they held before. */
  readonly unchanged: readonly string[];
  /** What git sees besides: changed by commands, by the person, or before the session. */
  readonly others: readonly string[];
}

/** By what the tools told, checked against the disk; and by git, where there is a repository. */
export async function readSessionChanges(transcript: Transcript, cwd: string): Promise<SessionChanges> {
  const files: ShownDiff[] = [];
  const unchanged: string[] = [];
  const told = fileStepsOf(transcript, cwd);
  for (const [path, steps] of told) {
    const change = netChange(path, await readText(path), steps);
    if (change) files.push(change);
    else unchanged.push(path);
  }
  const others = (await changedByGit(cwd)).filter((path) => !told.has(path));
  return { files, unchanged, others };
}

/** Undefined when nothing is left of it. */
function netChange(path: string, now: string | null, steps: readonly FileStep[]): ShownDiff | undefined {
  const before = undoSteps(now, steps);
  if (!before)
    return {
      path,
      note: 'changed since by others; these are the last lines that were told',
      hunks: steps.at(-1)?.hunks ?? [],
    };
  if (before.text === now) return undefined;
  const note = before.text === null ? 'new file' : now === null ? 'deleted' : undefined;
  return {
    path,
    ...(note !== undefined && { note }),
    hunks: [diffLines(splitLines(before.text ?? ''), splitLines(now ?? ''))],
  };
}

/** Null stands for no file. */
export async function readText(path: string): Promise<string | null> {
  return await readFile(path, 'utf8').catch(() => null);
}

/** Absolute paths; none where there is no repository, or no git. */
async function changedByGit(cwd: string): Promise<string[]> {
  const git = async (...args: string[]): Promise<string> => {
    const options = { cwd, timeout: GIT_TIMEOUT_MS, maxBuffer: MAX_GIT_OUTPUT_BYTES, windowsHide: true };
    return (await promisify(execFile)('git', [...SAFE_GIT, ...args], options)).stdout;
  };
  try {
    const root = (await git('rev-parse', '--show-toplevel')).trim();
    const status = await git('status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all', '--', '.');
    const paths = status.split('\0').flatMap((row) => (row.length > 3 ? [join(root, row.slice(3))] : []));
    return paths.filter((path) => !relative(cwd, path).startsWith('..'));
  } catch {
    return [];
  }
}

const GIT_TIMEOUT_MS = 5000;
const MAX_GIT_OUTPUT_BYTES = 16 * 1024 * 1024;
/** A repository may come from anywhere, and must not run a program of its own here. */
const SAFE_GIT = ['-c', 'core.fsmonitor=false', '-c', 'safe.bareRepository=explicit'];
