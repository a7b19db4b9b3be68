import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';

/** The positions of `env_start` and `env_end` in /proc/<pid>/stat, counted after the name of the program (proc(5)). */
const ENV_START = 47;
const ENV_END = 48;
/** Larger blocks are left alone; Linux allows a quarter of the stack. */
const MAX_BLOCK_BYTES = 8 * 1024 * 1024;

/**
 * Overwrites the values of variables in the block that the kernel shows as /proc/<pid>/environ. `process.env` keeps
 * them, in memory of its own. Returns false where that is impossible: on other systems, or without a writable /proc.
 */
export function eraseVariables(names: readonly string[]): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const { start, length } = findBlock();
    if (!(length > 0 && length <= MAX_BLOCK_BYTES)) return false;
    for (const name of names) moveToHeap(name);
    eraseIn({ start, length }, names);
    return true;
  } catch {
    return false;
  }
}

interface Block {
  readonly start: number;
  readonly length: number;
}

function findBlock(): Block {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const start = Number(fields[ENV_START]);
  return { start, length: Number(fields[ENV_END]) - start };
}

/** `getenv` returns pointers into the block until a variable is set again. */
function moveToHeap(name: string): void {
  const value = process.env[name];
  if (value === undefined) return;
  delete process.env[name];
  process.env[name] = value;
}

function eraseIn({ start, length }: Block, names: readonly string[]): void {
  const memory = openSync('/proc/self/mem', 'r+');
  try {
    const block = Buffer.alloc(length);
    readSync(memory, block, 0, length, start);
    for (const name of names) {
      for (const [from, to] of findValues(block, name)) {
        block.fill(0, from, to);
        writeSync(memory, block, from, to - from, start + from);
      }
    }
  } finally {
    closeSync(memory);
  }
}

/** Where the values of a variable are; a block may set it twice. */
function findValues(block: Buffer, name: string): readonly (readonly [from: number, to: number])[] {
  const prefix = Buffer.from(`${name}=`);
  const found: [number, number][] = [];
  for (let at = block.indexOf(prefix); at !== -1; at = block.indexOf(prefix, at + 1)) {
    if (at > 0 && block[at - 1] !== 0) continue;
    const from = at + prefix.length;
    const end = block.indexOf(0, from);
    found.push([from, end === -1 ? block.length : end]);
  }
  return found;
}
