import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import type { WebGateway } from '../api/web-gateway.ts';

export interface AllowedFoldersOptions {
  readonly gateway: Pick<WebGateway, 'sessions'>;
  /** Folders below which everybody may look. */
  readonly roots: readonly string[];
}

/** Which folders a principal may look into: those of its sessions, and those below the roots; all that is below them too. */
export class AllowedFolders {
  readonly #options: AllowedFoldersOptions;

  constructor(options: AllowedFoldersOptions) {
    this.#options = options;
  }

  /** The folder as it really is, without links; undefined when it is not there, or not for this principal. */
  async find(folder: string, principal: string): Promise<string | undefined> {
    if (!isAbsolute(folder)) return undefined;
    const real = await realFolder(folder);
    if (real === undefined) return undefined;
    for (const root of this.#options.roots) if (isWithin(real, await realFolder(root))) return real;
    const { sessions } = await this.#options.gateway.sessions({ principal, limit: 1000 });
    for (const cwd of new Set(sessions.map((session) => session.cwd)))
      if (isWithin(real, await realFolder(cwd))) return real;
    return undefined;
  }
}

async function realFolder(folder: string): Promise<string | undefined> {
  try {
    const real = await realpath(folder);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

function isWithin(folder: string, root: string | undefined): boolean {
  if (root === undefined) return false;
  const path = relative(root, folder);
  return path === '' || !(path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path));
}
