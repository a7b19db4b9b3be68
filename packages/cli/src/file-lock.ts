import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '@parley/host/command-line';
import { makeFolder } from '@parley/host/places';

const RETRY_MS = 20;
const MAX_WAIT_MS = 15_000;
/** Without a holder that can be looked up, a lock this old belongs to a process that was killed while it held it. */
const STALE_MS = 10_000;

/** Does something to a file that no other process does something to meanwhile. A lock whose holder is gone is taken over. */
export async function withFileLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const lockPath = `${path}.lock`;
  await makeFolder(dirname(path));
  const holder = JSON.stringify({ pid: process.pid, startTime: await readStartTime(process.pid), id: randomUUID() });
  let removed: string | undefined;
  for (const deadline = Date.now() + MAX_WAIT_MS; !(await createOnce(lockPath, holder)); ) {
    const other = await readFile(lockPath, 'utf8').catch(() => undefined);
    // One that is still there cannot be removed, and trying again at once would not end.
    if (other !== undefined && other !== removed && !(await isHeld(lockPath, other))) {
      await removeIfSame(lockPath, other);
      removed = other;
    } else if (Date.now() < deadline) await sleep(RETRY_MS);
    else throw new CliError('not_available', `${path} is being changed by another process; try again later.`);
  }
  try {
    return await work();
  } finally {
    await rm(lockPath, { force: true });
  }
}

/** Creates a file with its content; false when there is one. By a link, so that it has its content as soon as it has its name. */
export async function createOnce(path: string, content: string): Promise<boolean> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  await writeFile(temporary, content, { mode: 0o600 });
  try {
    await link(temporary, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Removes a file that has this content, and no other: two may find it at the same time. Undefined stands for any content. */
export async function removeIfSame(path: string, content: string | undefined): Promise<void> {
  const stalePath = `${path}.${randomUUID()}.stale`;
  try {
    await rename(path, stalePath);
    if (content !== undefined && (await readFile(stalePath, 'utf8')) !== content) await link(stalePath, path);
  } catch {
    // Somebody else has removed it, or has put theirs in its place already.
  } finally {
    await rm(stalePath, { force: true });
  }
}

/** Loaded with the first lock: an agent reads settings at its start and locks nothing. */
async function readStartTime(pid: number): Promise<string | undefined> {
  return (await import('@parley/host/process')).readStartTime(pid);
}

async function isHeld(lockPath: string, holder: string): Promise<boolean> {
  const { pid, startTime } = readHolder(holder);
  if (pid !== undefined && startTime !== undefined) return (await readStartTime(pid)) === startTime;
  const age = await stat(lockPath).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
  return age < STALE_MS;
}

function readHolder(text: string): { readonly pid?: number; readonly startTime?: string } {
  try {
    return JSON.parse(text) as { pid?: number; startTime?: string };
  } catch {
    return {};
  }
}
