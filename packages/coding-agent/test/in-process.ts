import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type AgentConnection, type ConnectOptions, connect } from '@parley/client';
import { nodeHost } from '@parley/client/node';
import { type FakeModelServer, startFakeModelServer } from '@parley/testing/fake-model-server';
import { createMemoryPair } from '@parley/transports/memory';
import { onTestFinished } from 'vitest';
import { type CodingAgentOptions, createCodingAgent } from '../src/index.ts';

export interface InProcessOptions extends ConnectOptions {
  readonly agent?: CodingAgentOptions;
}

/** The agent in this process, with a client of ours at the other end. Nothing is looked for on this machine. */
export async function startInProcess({ agent = {}, ...options }: InProcessOptions = {}): Promise<AgentConnection> {
  const built = createCodingAgent({
    env: {},
    onDiagnostic: () => {},
    retry: { baseDelayMs: 20, maxDelayMs: 50 },
    ...agent,
    discover: { localServers: [], ...agent.discover },
  });
  const served: Promise<unknown>[] = [];
  const connection = await connect(
    {
      name: 'in process',
      host: nodeHost,
      async open() {
        const [near, far] = createMemoryPair();
        served.push(built.serve(far));
        return { transport: near };
      },
    },
    // What its tests look at is said in the words of version 1; version-2.test.ts looks at the other.
    { protocol: 1, ...options },
  );
  onTestFinished(async () => {
    await connection.close();
    await Promise.all(served);
  });
  return connection;
}

/** A folder with these files, gone after the test. */
export async function makeProject(files: Readonly<Record<string, string | Buffer>> = {}) {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'parley-project-')));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  }
  return { path, read: (name: string): Promise<string> => readFile(join(path, name), 'utf8') };
}

/** A model server for one test, and the environment that leads to it. */
export async function startModel(
  options: Parameters<typeof startFakeModelServer>[0] = {},
): Promise<{ readonly server: FakeModelServer; readonly env: Record<string, string> }> {
  const server = await startFakeModelServer(options);
  onTestFinished(() => server.close());
  return { server, env: { PARLEY_BASE_URL: `${server.url}/v1`, PARLEY_MODEL: 'fake-model' } };
}
