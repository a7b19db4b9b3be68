import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createGuardedFiles } from '@parley/host/files';
import { onTestFinished } from 'vitest';
import { localCommands } from '../src/operations/local-commands.ts';
import { localFiles } from '../src/operations/local-files.ts';
import type { Operations } from '../src/operations/operations.ts';
import { OutputFiles } from '../src/operations/output-files.ts';
import { walkSearch } from '../src/operations/search/walk-search.ts';
import { createWeb } from '../src/operations/web/web.ts';
import { createBackgroundCommands } from '../src/session/background-commands.ts';
import { createSeenFiles } from '../src/session/seen-files.ts';
import type { Tool, ToolContext, ToolOutcome, ToolProgress } from '../src/tools/tool.ts';

/** A folder of its own for one test, with real files, and the tools at work in it. */
export interface Bench {
  readonly cwd: string;
  readonly operations: Operations;
  /** Commands that were left running. */
  readonly running: Set<() => Promise<void>>;
  run<Args>(tool: Tool<Args>, input: Record<string, unknown>, options?: RunOptions): Promise<ToolOutcome>;
  read(name: string): Promise<string>;
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  readonly operations?: Partial<Operations>;
  readonly show?: (progress: ToolProgress) => void;
  readonly ask?: ToolContext<unknown>['ask'];
}

export async function createBench(files: Readonly<Record<string, string | Buffer>> = {}): Promise<Bench> {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), 'parley-tools-')));
  const outputs = new OutputFiles();
  const running = new Set<() => Promise<void>>();
  onTestFinished(async () => {
    await Promise.all([...running].map((stop) => stop()));
    await outputs[Symbol.asyncDispose]();
    await rm(cwd, { recursive: true, force: true });
  });
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), content);
  }
  const local = localFiles(createGuardedFiles({ roots: [cwd] }));
  const operations: Operations = {
    files: local,
    search: walkSearch(local),
    commands: localCommands((stop) => {
      running.add(stop);
      return () => running.delete(stop);
    }),
    web: createWeb(),
    person: { hasForms: false, ask: async () => undefined },
    session: { plan: () => {}, exitPlanMode: async () => false },
    webSearch: { search: async () => ({ text: '', sources: [] }) },
    tasks: { run: async () => ({ text: 'There are no sub-agents.', isError: true }) },
    agents: { call: async ({ name }) => ({ text: `There is no agent ${name}.`, isError: true }) },
    seen: createSeenFiles(),
    outputs,
    background: createBackgroundCommands(),
    sandbox: {
      enter: async () => ({ isThere: false, because: 'There is no sandbox.' }),
      commands: async () => ({ isThere: false, because: 'There is no sandbox.' }),
    },
  };
  return {
    cwd,
    operations,
    running,
    read: (name) => readFile(join(cwd, name), 'utf8'),
    async run(tool, input, options = {}) {
      return tool.run({
        args: tool.parse(input),
        cwd,
        roots: [cwd],
        operations: { ...operations, ...options.operations },
        signal: options.signal ?? new AbortController().signal,
        callId: undefined,
        show: options.show ?? (() => {}),
        ask: options.ask ?? (async () => ({ isAllowed: false, optionId: undefined })),
      });
    },
  };
}
