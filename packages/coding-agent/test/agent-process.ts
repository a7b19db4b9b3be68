import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type AgentConnection, type ConnectOptions, connect, type PermissionAnswer } from '@parley/client';
import { spawnAgent } from '@parley/client/node';
import { type BuiltProgram, buildStoreProgram } from '@parley/testing/build-program';
import { afterAll, afterEach, beforeAll } from 'vitest';

export type Files = Readonly<Record<string, string>>;

/** A folder with some files in it, gone after the test. */
export interface Project {
  readonly path: string;
  at(name: string): string;
  read(name: string): Promise<string>;
  write(name: string, content: string): Promise<void>;
}

export interface StartOptions extends ConnectOptions {
  /** Variables that the agent's process sees, besides PATH and its own HOME. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface AgentProcesses {
  /** A connection to a new process of the agent; all processes of one test keep their sessions in one place. */
  start(options?: StartOptions): Promise<StartedAgent>;
  project(files?: Files): Promise<Project>;
  /** How to start the agent, for clients that do it themselves. */
  command(env?: StartOptions['env']): Promise<{ readonly file: string; readonly env: Record<string, string> }>;
}

export interface StartedAgent {
  readonly connection: AgentConnection;
  /** The agent's own process id. */
  readonly pid: number;
}

/** Builds the agent once for a test file, and leaves nothing behind after each test. */
export function useAgentProcesses(): AgentProcesses {
  let built: BuiltProgram | undefined;
  const folders: string[] = [];
  const connections: AgentConnection[] = [];
  let home: Promise<string> | undefined;
  beforeAll(async () => {
    built = await buildStoreProgram(new URL('../src/parley-agent.program.ts', import.meta.url));
  });
  afterEach(async () => {
    await Promise.allSettled(connections.splice(0).map((connection) => connection.close()));
    home = undefined;
    await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
  });
  afterAll(() => built?.remove());

  const makeFolder = async (): Promise<string> => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-coding-agent-')));
    folders.push(folder);
    return folder;
  };
  const command: AgentProcesses['command'] = async (env = {}) => {
    home ??= makeFolder();
    const place = await home;
    if (!built) throw new Error('The agent is built before the first test.');
    return {
      file: built.path,
      env: { PATH: process.env.PATH ?? '', HOME: place, XDG_STATE_HOME: join(place, 'state'), ...env },
    };
  };
  return {
    command,
    async start({ env: given, ...options } = {}) {
      const { file, env } = await command(given);
      const source = spawnAgent(process.execPath, [file], { env, isEnvWhole: true, recordsDir: false });
      let pid = 0;
      const open: typeof source.open = async (signal) => {
        const wire = await source.open(signal);
        pid = (wire.transport as unknown as { process: { pid: number } }).process.pid;
        return wire;
      };
      const connection = await connect({ ...source, open }, { protocol: 1, ...options });
      connections.push(connection);
      return { connection, pid };
    },
    async project(files = {}) {
      const path = await makeFolder();
      const project: Project = {
        path,
        at: (name) => join(path, name),
        read: (name) => readFile(join(path, name), 'utf8'),
        async write(name, content) {
          await mkdir(dirname(join(path, name)), { recursive: true });
          await writeFile(join(path, name), content);
        },
      };
      for (const [name, content] of Object.entries(files)) await project.write(name, content);
      return project;
    },
  };
}

/** A person who always answers the same, and remembers the questions. */
export function person(answer: PermissionAnswer): {
  readonly asked: string[];
  readonly permissions: NonNullable<ConnectOptions['permissions']>;
} {
  const asked: string[] = [];
  return {
    asked,
    permissions: {
      ask: ({ toolCall }) => {
        asked.push(toolCall.title ?? '');
        return answer;
      },
    },
  };
}
