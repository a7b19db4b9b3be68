import { access, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CliError } from '@parley/host/command-line';
import { writeFileWhole } from './write-file-whole.ts';

export interface ArchivedSession {
  readonly id: string;
  /** The number of its last event. */
  readonly head: number;
  /** Whose it is, in a store of several. */
  readonly principal?: string;
}

/** A folder to which sessions are written before something of them is deleted; each file can be imported. */
export class ArchiveFolder {
  readonly #path: string;

  constructor(path: string, cwd: string) {
    this.#path = resolve(cwd, path);
  }

  /**
   * Writes a session as it is, unless that was done before. The number of its last event is part of the name: what was archived
   * before an earlier trimming is not replaced by what was left. When this resolves, the file is on disk.
   */
  async add({ id, head, principal }: ArchivedSession, pieces: () => AsyncIterable<string>): Promise<void> {
    const folder = principal === undefined ? this.#path : join(this.#path, encodeURIComponent(principal));
    const path = join(folder, `${encodeURIComponent(id)}-${head}.json`);
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new CliError('output_failed', `The folder ${folder} for archives cannot be made: ${why}`, { cause: error });
    }
    await writeFileWhole(path, path, pieces());
  }
}
