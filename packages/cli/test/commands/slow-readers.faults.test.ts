import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuiltProgram, buildProgram } from '@parley/testing/build-program';
import { FULL_DEVICE, needs, PROC } from '@parley/testing/needs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readLines, useParley } from '../support/parley.ts';

const parley = useParley();
/** Longer than a command once waited for its reader. */
const LATE_MS = 3000;
let flood: BuiltProgram;
let agent: string;

beforeAll(async () => {
  flood = await buildProgram(new URL('../support/flood-agent.ts', import.meta.url));
  agent = `${process.execPath} ${flood.path}`;
}, 60_000);
afterAll(() => flood.remove());

interface Started {
  readonly child: ChildProcess;
  readonly exit: Promise<number | null>;
  /** Begins to read; everything that comes, to the end. */
  read(): Promise<string>;
  readonly stderr: Promise<string>;
}

/** The command with a stdout that nobody reads yet. */
function start(args: readonly string[], input = ''): Started {
  const child = spawn(process.execPath, [parley.program, ...args], {
    cwd: parley.folder,
    env: { ...parley.env, FLOOD_REPORT: join(parley.folder, 'sent') },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(input);
  return {
    child,
    exit: once(child, 'exit').then(([code]) => code as number | null),
    read: () => textOf(child.stdout),
    stderr: textOf(child.stderr),
  };
}

/** The command in a shell, with `parley` for itself. */
async function shell(script: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn('bash', ['-c', `parley() { "$NODE" "$PARLEY" "$@"; }; ${script}`], {
    cwd: parley.folder,
    env: { ...parley.env, NODE: process.execPath, PARLEY: parley.program, AGENT: agent },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** The numbers of the lines that the agent has said. */
const numbersIn = (text: string): number[] => [...text.matchAll(/\.(\d+)$/gm)].map(([, digits]) => Number(digits));
/** How many numbered lines there are, as long as each follows the one before it. */
function countInOrder(text: string): number {
  let count = 0;
  for (const [, digits] of text.matchAll(/\.(\d+)(?:\n|\\n)/g)) {
    // The outcome at the end of json has the whole text once more.
    if (Number(digits) === 0 && count > 0) break;
    if (Number(digits) === count) count += 1;
    else throw new Error(`Line ${digits} came in place of ${count}.`);
  }
  return count;
}
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const residentMb = (child: ChildProcess): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;

describe('a reader that begins late', () => {
  it.each(['text', 'quiet'])('gets everything that exec has to say as %s', { timeout: 60_000 }, async (format) => {
    const run = start(['exec', '--format', format, '--agent', agent, 'send 1']);
    await pause(LATE_MS);
    expect(numbersIn(await run.read())).toEqual(upTo(10_000));
    expect(await run.exit).toBe(0);
  });

  it('gets every message of exec as json, the outcome last', { timeout: 60_000 }, async () => {
    const run = start(['exec', '--format', 'json', '--agent', agent, 'send 1']);
    await pause(LATE_MS);
    const lines = readLines(await run.read());
    expect(lines.filter(({ method }) => method === 'session/update')).toHaveLength(100);
    expect(lines.at(-1)).toMatchObject({ method: '_parley/outcome', params: { exit: 'ok' } });
    expect(await run.exit).toBe(0);
  });

  it('may be ended by Ctrl-C instead', { timeout: 60_000 }, async () => {
    const run = start(['exec', '--format', 'quiet', '--agent', agent, 'send 1']);
    await pause(LATE_MS);
    run.child.kill('SIGINT');
    await run.exit;
    expect(run.child.signalCode ?? run.child.exitCode).not.toBe(0);
  });

  it.each([
    ['exec as text', (): string[] => ['exec', '--agent', agent, 'send 100'], '', 150],
    ['exec as json', (): string[] => ['exec', '--format', 'json', '--agent', agent, 'send 30'], '', 150],
    ['prompt, which keeps a record', (): string[] => ['prompt', '--new', '--agent', agent, 'send 30'], '', 250],
    ['the plain chat', (): string[] => ['chat', '--plain', '--agent', agent], 'send 20\n', 250],
  ])('slows the agent down: %s', { ...needs(PROC), timeout: 120_000 }, async (_, args, input, maxMb) => {
    const report = join(parley.folder, 'sent');
    writeFileSync(report, '');
    const run = start(args(), input);
    while (readFileSync(report, 'utf8') === '') await pause(20);
    await pause(2000);
    expect(Number(readFileSync(report, 'utf8'))).toBeLessThan(10_000_000);
    expect(residentMb(run.child)).toBeLessThan(maxMb);
    const text = await run.read();
    expect(await run.exit).toBe(0);
    const megabytes = Number(/send (\d+)/.exec(`${args()} ${input}`)?.[1]);
    expect(countInOrder(text)).toBe(megabytes * 10_000);
  });
});

describe('output that cannot be written', needs(FULL_DEVICE), () => {
  it.each([
    'exec --agent "$AGENT" "send 0.1"',
    'exec --format json --agent "$AGENT" "send 0.1"',
    'exec --format quiet --agent "$AGENT" "send 0.1"',
    'config show',
    'agents',
    '--help',
  ])('gives exit code 10 and a sentence: %s', { timeout: 60_000 }, async (args) => {
    const { code, stderr } = await shell(`parley ${args} > /dev/full`);
    expect(stderr).toContain('The output could not be written and is not whole: there is no space left on the device.');
    expect(stderr.match(/could not be written/g)).toHaveLength(1);
    expect(code).toBe(10);
  });

  it('is no error when the reader has seen enough', { timeout: 60_000 }, async () => {
    const { stdout, stderr, code } = await shell('set -o pipefail; parley agents | head -1');
    expect({ lines: stdout.split('\n').length, stderr, code }).toEqual({ lines: 2, stderr: '', code: 0 });
    const exec = await shell('parley exec --agent "$AGENT" "send 100" | head -2');
    expect(numbersIn(exec.stdout)).toEqual([0, 1]);
    expect(exec.stderr).toBe('');
  });
});

describe('too few files', () => {
  const SENTENCE = { code: 1, stderr: 'parley: Too many files are open; allow more with: ulimit -n 1024\n' };

  it('are told in a sentence', { timeout: 60_000 }, async () => {
    // How many files Node itself holds open differs between versions: the rest is taken when the program reads its arguments.
    writeFileSync(join(parley.folder, 'take-files.mjs'), TAKE_FILES);
    const withFilesLeft = async (count: number): Promise<{ code: number | null; stderr: string }> => {
      const { code, stderr } = await shell(
        `ulimit -n 64; FILES_LEFT=${count} NODE_OPTIONS="--import ./take-files.mjs" parley agents`,
      );
      return { code, stderr };
    };
    expect(await withFilesLeft(0)).toEqual(SENTENCE);
    // A few may suffice, where no two are open at the same time.
    for (const count of [1, 2, 4])
      expect([SENTENCE, { code: 0, stderr: '' }]).toContainEqual(await withFilesLeft(count));
  });
});

const TAKE_FILES = `
import { closeSync, openSync } from 'node:fs';
const { argv } = process;
Object.defineProperty(process, 'argv', {
  configurable: true,
  get() {
    if (new Error().stack.includes('parley.program')) {
      Object.defineProperty(process, 'argv', { value: argv });
      const taken = [];
      try {
        for (;;) taken.push(openSync(process.execPath));
      } catch {}
      for (const file of taken.slice(taken.length - Number(process.env.FILES_LEFT))) closeSync(file);
    }
    return argv;
  },
});
`;

describe('a saved session', () => {
  let session: string;

  beforeEach(async () => {
    const { stderr } = await shell('parley prompt --new --agent "$AGENT" "send 1" 2>&1 >/dev/null | tail -1 >&2');
    session = stderr.replace('session ', '').trim();
  }, 60_000);

  it('reaches a late reader whole, as history and as export', { timeout: 60_000 }, async () => {
    const commands = [['history'], ['history', '--json'], ['export'], ['export', '--markdown']];
    const [history = '', json = '', archive = '', markdown = ''] = await Promise.all(
      commands.map(async ([command = '', ...flags]) => {
        const run = start(['sessions', command, session, ...flags]);
        await pause(LATE_MS);
        const text = await run.read();
        expect(await run.exit).toBe(0);
        return text;
      }),
    );
    for (const text of [history, markdown, json.replaceAll(String.raw`\n`, '\n')]) {
      expect(numbersIn(text)).toEqual(upTo(10_000));
    }
    expect(JSON.parse(archive)).toMatchObject({ format: 'parley-session/1', session: { agent } });
    writeFileSync(join(parley.folder, 'again.json'), archive);
    const again = await shell(
      'parley sessions history "$(parley sessions import again.json --name again --agent "$AGENT")"',
    );
    expect(numbersIn(again.stdout)).toEqual(upTo(10_000));
  });

  it('is not exported where it does not fit', { ...needs(FULL_DEVICE), timeout: 60_000 }, async () => {
    for (const to of ['> /dev/full', '-o /dev/full', '| head -c 100 >/dev/null']) {
      const { code, stderr } = await shell(`set -o pipefail; parley sessions export ${session} ${to}`);
      expect(stderr).toMatch(/could not be written/);
      expect(code).toBe(10);
    }
    expect((await shell(`parley sessions history ${session} > /dev/full`)).code).toBe(10);
  });

  it('leaves no half file behind, and an older one as it was', { timeout: 60_000 }, async () => {
    // A limit on the size of files stands for a disk that fills up: a part is written, then comes the error.
    const limited = "trap '' XFSZ; ulimit -f 100";
    writeFileSync(join(parley.folder, 'old.json'), 'old');
    for (const name of ['old.json', 'new.json']) {
      const { code, stderr } = await shell(`${limited}; parley sessions export ${session} -o ${name}`);
      expect(stderr).toContain(`${name} could not be written`);
      expect(code).toBe(10);
    }
    expect(readdirSync(parley.folder).filter((name) => /^(old|new)\.json/.test(name))).toEqual(['old.json']);
    expect(readFileSync(join(parley.folder, 'old.json'), 'utf8')).toBe('old');
    const { code, stderr } = await shell(`${limited}; parley sessions export ${session} > cut.json`);
    expect(stderr).toContain('is not whole');
    expect(code).toBe(10);
  });
});
