import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** The files of a store, where they really lie. */
export interface StoreFiles {
  readonly database: string;
  readonly wal: string;
  /** The index of the write-ahead log, by which processes also keep out of each other's way. */
  readonly shm: string;
}

/** As many links as Linux follows. */
const MAX_LINKS = 40;

/** SQLite keeps its companion files beside the file itself, and not beside a link to it. */
export function locateFiles(path: string): StoreFiles {
  let database = path;
  for (let links = 0; links < MAX_LINKS && isLink(database); links++) {
    database = resolve(realpathSync(dirname(database)), readlinkSync(database));
  }
  return { database, wal: `${database}-wal`, shm: `${database}-shm` };
}

/** Which files these are, to notice when others have taken their place. */
export function identify({ database, wal, shm }: StoreFiles): string {
  return `${inodeOf(database)} ${inodeOf(wal)} ${inodeOf(shm)}`;
}

/** An identity that no file has. */
export const NO_INODE = '0:0';

export function inodeOf(path: string): string {
  const { dev, ino } = statSync(path, { throwIfNoEntry: false }) ?? { dev: 0, ino: 0 };
  return `${dev}:${ino}`;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
