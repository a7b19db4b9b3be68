import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, createConnection } from '@parley/jsonrpc';
import type { SessionStore } from '@parley/store';
import { createMemoryPair } from '@parley/transports/memory';
import { type AdapterOptions, adapterAgent, type Description, parseDescription } from '../src/index.ts';

/** What every command line of these tests has at hand. */
const PRELUDE = `
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const words = process.argv.slice(2);
const after = (flag) => words[words.indexOf(flag) + 1];
const say = (value) => process.stdout.write(JSON.stringify(value) + '\\n');
const note = (value) => appendFileSync(NOTES, JSON.stringify(value) + '\\n');
const lines = () => createInterface({ input: process.stdin });
`;

export type Update = Readonly<Record<string, unknown>> & { readonly sessionUpdate: string };

/** A folder with a command line in it, written by the test, and an adapter for it. */
export class Scene implements Disposable {
  readonly folder: string;
  readonly #script: string;
  readonly #notes: string;

  constructor(script: string) {
    this.folder = mkdtempSync(join(tmpdir(), 'parley-adapter-'));
    this.#script = join(this.folder, 'command.mjs');
    this.#notes = join(this.folder, 'notes.jsonl');
    writeFileSync(this.#script, `${PRELUDE.replace('NOTES', JSON.stringify(this.#notes))}${script}\n`);
  }

  /** A description for the command line; it says as much as most tests need. */
  describe(changes: Partial<Description> = {}): Description {
    const description = {
      version: 1,
      name: 'sample',
      command: [process.execPath, this.#script],
      sessionMode: 'stream',
      prompt: { flag: '-p' },
      output: { flag: '', value: '' },
      outputEvents: [
        { match: { path: '$.type', value: 'text' }, emitAs: 'message', extract: { content: '$.text' } },
        { match: { path: '$.type', value: 'delta' }, emitAs: 'message_delta', extract: { content: '$.text' } },
        { match: { path: '$.type', value: 'thought' }, emitAs: 'thought', extract: { content: '$.text' } },
        { match: { path: '$.type', value: 'error' }, emitAs: 'error', extract: { content: '$.message' } },
      ],
      result: {
        matchPath: '$.type',
        matchValue: 'result',
        contentPath: '$.text',
        isErrorPath: '$.is_error',
        stopReasonPath: '$.reason',
      },
      ...changes,
    };
    return parseDescription(JSON.stringify(description), 'sample.json');
  }

  /** What the command line has noted. */
  notes<Note = Readonly<Record<string, unknown>>>(): readonly Note[] {
    if (!existsSync(this.#notes)) return [];
    const lines = readFileSync(this.#notes, 'utf8').trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line) as Note);
  }

  connect(changes: Partial<Description> = {}, options: AdapterOptions = {}): Promise<Client> {
    return Client.connect(this.describe(changes), this.folder, options);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A client of version 1 that keeps what it is told. */
export class Client implements AsyncDisposable {
  readonly updates: Update[] = [];
  readonly questions: Readonly<Record<string, unknown>>[] = [];
  /** What it answers to questions. */
  answer: (params: { readonly options: readonly { readonly optionId: string }[] }) => unknown = () => ({
    outcome: { outcome: 'cancelled' },
  });
  initialized: Readonly<Record<string, unknown>> = {};
  readonly connection: Connection;
  readonly #served: Promise<unknown>;
  readonly #folder: string;

  private constructor(description: Description, folder: string, options: AdapterOptions) {
    const [near, far] = createMemoryPair();
    this.#folder = folder;
    this.#served = adapterAgent(description, { onDiagnostic: () => {}, ...options }).serve(far);
    this.connection = createConnection(near);
    this.connection.onNotification('session/update', (params) => {
      this.updates.push((params as { readonly update: Update }).update);
    });
    this.connection.onRequest('session/request_permission', ({ params }) => {
      this.questions.push(params as Readonly<Record<string, unknown>>);
      return this.answer(params as Parameters<typeof this.answer>[0]);
    });
  }

  static async connect(description: Description, folder: string, options: AdapterOptions): Promise<Client> {
    const client = new Client(description, folder, options);
    client.initialized = await client.connection.request('initialize', {
      protocolVersion: 1,
      clientCapabilities: { session: { notices: {} } },
    });
    return client;
  }

  async newSession(params: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const { sessionId } = await this.connection.request<{ sessionId: string }>('session/new', {
      cwd: this.#folder,
      mcpServers: [],
      ...params,
    });
    return sessionId;
  }

  loadSession(sessionId: string): Promise<unknown> {
    return this.connection.request('session/load', { sessionId, cwd: this.#folder, mcpServers: [] });
  }

  prompt(sessionId: string, prompt: string | readonly object[]): Promise<{ readonly stopReason: string }> {
    const blocks = typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt;
    return this.connection.request('session/prompt', { sessionId, prompt: blocks });
  }

  cancel(sessionId: string): void {
    void this.connection.notify('session/cancel', { sessionId });
  }

  /** The texts of messages or thoughts, by message. */
  texts(kind: 'agent_message_chunk' | 'agent_thought_chunk' = 'agent_message_chunk'): readonly string[] {
    const texts = new Map<unknown, string>();
    for (const update of this.updates) {
      if (update.sessionUpdate !== kind) continue;
      const { text } = update.content as { readonly text: string };
      texts.set(update.messageId, (texts.get(update.messageId) ?? '') + text);
    }
    return [...texts.values()];
  }

  /** Updates of one kind. */
  of(kind: string): readonly Update[] {
    return this.updates.filter(({ sessionUpdate }) => sessionUpdate === kind);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.connection.close();
    await this.#served;
  }
}

/** A store that outlives the agents which use it. */
export async function sharedStore(): Promise<SessionStore> {
  const { memoryStore } = await import('@parley/store/memory');
  return memoryStore();
}

/** Waits until something holds; the test's own deadline ends a wait in vain. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}
