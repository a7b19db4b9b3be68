import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../places/make-folder.ts';
import { stateHome } from '../../places/places.ts';

/** What is needed to find a process again after its parent was killed, and to be sure that it is the same one. */
export interface ProcessRecord {
  readonly pid: number;
  readonly startTime: string;
  /** Also in the environment of the process and of its children, which outlives the process itself. */
  readonly launchId: string;
  readonly command: string;
  readonly owner: { readonly pid: number; readonly startTime: string };
}

/** `$XDG_STATE_HOME/parley/processes`, by default below `~/.local/state`. */
export function defaultRecordsDir(): string {
  return join(stateHome(), 'parley', 'processes');
}

/** Records a process until the returned function is called. */
export async function saveRecord(recordsDir: string, record: ProcessRecord): Promise<() => Promise<void>> {
  const path = join(recordsDir, `${record.pid}-${record.launchId}.json`);
  await makeFolder(recordsDir);
  await writeFile(path, JSON.stringify(record), { mode: 0o600 });
  return () => rm(path, { force: true });
}

/** Every record with the function that removes it. Files that are not records are left alone. */
export async function listRecords(recordsDir: string): Promise<readonly SavedRecord[]> {
  const names = await readdir(recordsDir).catch(() => []);
  const saved = await Promise.all(
    names.filter((name) => name.endsWith('.json')).map((name) => loadRecord(recordsDir, name)),
  );
  return saved.filter((record) => record !== undefined);
}

export interface SavedRecord {
  readonly record: ProcessRecord;
  readonly remove: () => Promise<void>;
}

async function loadRecord(recordsDir: string, name: string): Promise<SavedRecord | undefined> {
  const path = join(recordsDir, name);
  try {
    const record = parseRecord(JSON.parse(await readFile(path, 'utf8')));
    return record && { record, remove: () => rm(path, { force: true }) };
  } catch {
    return undefined;
  }
}

function parseRecord(value: Partial<ProcessRecord> | null): ProcessRecord | undefined {
  const { pid, startTime, launchId, command, owner } = value ?? {};
  if (!isProcessId(pid) || !isProcessId(owner?.pid)) return undefined;
  const texts = [startTime, launchId, command, owner?.startTime];
  return texts.every((text) => typeof text === 'string') ? (value as ProcessRecord) : undefined;
}

/** 0 and 1 would address our own group and every process there is. */
function isProcessId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 1;
}
