import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { cacheHome, makeFolderSync } from '@parley/host/places';

/** What V8 has compiled of one program, in a file that only its owner can write. */
export interface CodeCache {
  /** Undefined when there is none, or none that can be trusted. */
  read(): Buffer | undefined;
  /** A second line: nothing happens where it cannot be written. */
  write(compile: () => Buffer): void;
}

/** Undefined when there is to be none. A program's name has to change with its text, since V8 compares only its length. */
export function findCodeCache(programPath: string): CodeCache | undefined {
  const { NODE_DISABLE_COMPILE_CACHE, NODE_V8_COVERAGE } = process.env;
  // What was compiled before cannot be counted by a measurement of coverage.
  if (NODE_DISABLE_COMPILE_CACHE || NODE_V8_COVERAGE) return undefined;
  try {
    const name = `${basename(programPath)}-${process.version}-${process.arch}`;
    const path = join(cacheHome(), 'parley', 'code', name);
    return { read: () => readCode(path), write: (compile) => writeCode(path, compile) };
  } catch {
    return undefined;
  }
}

function readCode(path: string): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    if (!isOurs(fstatSync(file))) return undefined;
    const content = readFileSync(file);
    const code = content.subarray(0, -SUM_BYTES);
    return content.readUInt32LE(code.length) === sumOf(code) ? code : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function writeCode(path: string, compile: () => Buffer): void {
  try {
    const folder = dirname(path);
    makeFolderSync(folder);
    if (!isOurs(statSync(folder))) return;
    const temporary = `${path}.${process.pid}`;
    try {
      writeWhole(temporary, compile());
      renameSync(temporary, path);
    } finally {
      rmSync(temporary, { force: true });
    }
    removeOld(folder);
  } catch {
    // The next run compiles it again.
  }
}

function writeWhole(path: string, code: Buffer): void {
  const sum = Buffer.alloc(SUM_BYTES);
  sum.writeUInt32LE(sumOf(code));
  const file = openSync(path, 'wx', 0o600);
  try {
    for (const part of [code, sum]) for (let at = 0; at < part.length; ) at += writeSync(file, part, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Code of versions that are no longer used, and what was left behind by a process that ended while it wrote. */
function removeOld(folder: string): void {
  const files = readdirSync(folder).map((name) => join(folder, name));
  const newestFirst = files
    .map((path) => ({ path, writtenAt: statSync(path).mtimeMs }))
    .sort((one, other) => other.writtenAt - one.writtenAt);
  newestFirst.forEach(({ path, writtenAt }, index) => {
    if (index >= MAX_FILES || Date.now() - writtenAt > MAX_AGE_MS) rmSync(path, { force: true });
  });
}

/** Three programs of four versions. */
const MAX_FILES = 12;
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;

/** Whoever writes this file decides what runs: with `sudo` the home may be that of another person. */
function isOurs({ uid, mode }: Stats): boolean {
  return process.platform === 'win32' || (uid === process.getuid?.() && (mode & 0o022) === 0);
}

const SUM_BYTES = 4;

/**
 * V8 does not look for damage, and damaged code ends the process. A disk damages blocks of at least 512 bytes, so one word
 * of every 256 is enough to notice. A loop that runs four times as often becomes hot, and V8 spends more on optimizing it
 * than on the rest of the start. Rotations keep the sum in 32 bits, which need no memory.
 */
function sumOf(code: Buffer): number {
  const words = new Int32Array(code.buffer, code.byteOffset, code.length >> 2);
  let sum = code.length;
  for (let at = 0; at < words.length; at += 64) sum = ((sum << 5) | (sum >>> 27)) ^ (words[at] as number);
  return sum >>> 0;
}
