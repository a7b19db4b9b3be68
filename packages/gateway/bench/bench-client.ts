import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';

/** A client that does no more than it must, so that the far end is what is measured. */
export interface BenchClient {
  /** Called with the text of every update, as it is on the wire. */
  onUpdate: (line: string) => void;
  request(method: string, params: object): Promise<Record<string, unknown>>;
  close(): void;
}

const LOADER = ['--expose-gc', '--import', 'tsx', '--conditions=source'];

interface Wire {
  send(line: string): void;
  onLine(listener: (line: string) => void): void;
  close(): void;
}

function clientOn(wire: Wire): BenchClient {
  const answers = new Map<number, (message: Record<string, unknown>) => void>();
  let lastId = 0;
  const client: BenchClient = {
    onUpdate: () => {},
    async request(method, params) {
      const id = ++lastId;
      const answered = new Promise<Record<string, unknown>>((resolve) => answers.set(id, resolve));
      wire.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      const { result, error } = await answered;
      if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
      return result as Record<string, unknown>;
    },
    close: () => wire.close(),
  };
  wire.onLine((line) => {
    if (line.includes('"session/update"')) return client.onUpdate(line);
    const message = JSON.parse(line) as Record<string, unknown>;
    if (typeof message.id === 'number' && message.method === undefined) answers.get(message.id)?.(message);
  });
  return client;
}

async function initialized(client: BenchClient): Promise<BenchClient> {
  await client.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
  return client;
}

/** The agent itself, without a gateway. */
export function startAgent(): Promise<BenchClient> {
  const child = start('bench-agent.ts');
  return initialized(
    clientOn({
      send: (line) => void child.stdin?.write(`${line}\n`),
      onLine: (listener) => void createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', listener),
      close: () => void child.stdin?.end(),
    }),
  );
}

export async function dial(port: number): Promise<BenchClient> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/acp`, { perMessageDeflate: false });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return initialized(
    clientOn({
      send: (line) => socket.send(line),
      onLine: (listener) => void socket.on('message', (data) => listener(String(data))),
      close: () => socket.close(),
    }),
  );
}

export interface BenchGateway {
  readonly port: number;
  residentMiB(): Promise<number>;
  stop(): Promise<void>;
}

/** Without a path, sessions are in memory. */
export async function startGateway(path?: string): Promise<BenchGateway> {
  const child = start('bench-gateway.ts', ...(path === undefined ? [] : [path]));
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  const next = async (): Promise<Record<string, number>> => JSON.parse(String((await lines.next()).value));
  const { port = 0 } = await next();
  return {
    port,
    async residentMiB() {
      child.stdin?.write('\n');
      return (await next()).residentMiB ?? 0;
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.stdin?.end();
      await ended;
    },
  };
}

function start(name: string, ...args: string[]): ChildProcess {
  const program = fileURLToPath(new URL(name, import.meta.url));
  return spawn(process.execPath, [...LOADER, program, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
}

export function text(wanted: object): { type: 'text'; text: string } {
  return { type: 'text', text: JSON.stringify(wanted) };
}

export async function open(client: BenchClient): Promise<string> {
  return String((await client.request('session/new', { cwd: '/tmp', mcpServers: [] })).sessionId);
}
