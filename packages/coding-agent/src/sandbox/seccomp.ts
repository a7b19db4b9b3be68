import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The numbers of the system calls that are looked at, on one processor. */
interface Processor {
  /** `AUDIT_ARCH_*`, so that calls by another table of numbers are denied. */
  readonly id: number;
  readonly socket: number;
  readonly denied: readonly number[];
}

/** Denied: add_key, request_key, keyctl, bpf, perf_event_open, userfaultfd, io_uring_setup. */
const PROCESSORS: Readonly<Record<string, Processor>> = {
  x64: { id: 0xc000003e, socket: 41, denied: [248, 249, 250, 321, 298, 323, 425] },
  arm64: { id: 0xc00000b7, socket: 198, denied: [217, 218, 219, 280, 241, 282, 425] },
};

/** AF_UNIX, AF_ALG, AF_VSOCK: a network namespace does not confine sockets in files, or those to the host of a virtual machine. */
const DENIED_FAMILIES = [1, 38, 40] as const;

const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
/** The call fails with EPERM. */
const DENY = 0x00050001;
/** Offsets in `seccomp_data`. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;
/** Calls of the x32 ABI have numbers from here on. */
const X32 = 0x40000000;

let opened: number | undefined;

/** A file with the filter for this processor, for bubblewrap to load; it is gone with this process. Undefined where there is none. */
export function seccompFile(): string | undefined {
  const processor = PROCESSORS[process.arch];
  if (processor === undefined) return undefined;
  opened ??= openNameless(createFilter(processor));
  return `/proc/${process.pid}/fd/${opened}`;
}

/** A process that is killed leaves no file without a name behind. */
function openNameless(content: Buffer): number {
  const folder = mkdtempSync(join(tmpdir(), 'parley-seccomp-'));
  const path = join(folder, 'filter');
  writeFileSync(path, content);
  const file = openSync(path, 'r');
  rmSync(folder, { recursive: true });
  return file;
}

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/** A program for the kernel: jumps count the instructions that they leave out. */
function createFilter({ id, socket, denied }: Processor): Buffer {
  const families: Instruction[] = DENIED_FAMILIES.map((family, index) => [
    IF_EQUAL,
    DENIED_FAMILIES.length - index,
    0,
    family,
  ]);
  const tail: Instruction[] = [[LOAD, 0, 0, FIRST_ARGUMENT], ...families, [RETURN, 0, 0, ALLOW], [RETURN, 0, 0, DENY]];
  const toDeny = tail.length - 1;
  const calls: Instruction[] = denied.map((number, index) => [
    IF_EQUAL,
    denied.length - index - 1 + 2 + toDeny,
    0,
    number,
  ]);
  const body: Instruction[] = [...calls, [IF_EQUAL, 1, 0, socket], [RETURN, 0, 0, ALLOW], ...tail];
  const program: Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE],
    [IF_EQUAL, 0, body.length + 1, id],
    [LOAD, 0, 0, NUMBER],
    [IF_AT_LEAST, body.length - 1, 0, X32],
    ...body,
  ];
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value, index * 8 + 4);
  }
  return bytes;
}
