import { readdirSync, readFileSync } from 'node:fs';

/** The processes that another one has started, and whose command line has this in it. */
export function childrenOf(pid: number, part = ''): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => parentOf(each) === pid && commandOf(each).includes(part));
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(readProc(pid, 'status'))?.[1]);
}

function commandOf(pid: number): string {
  return readProc(pid, 'cmdline').replaceAll('\0', ' ');
}

function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
