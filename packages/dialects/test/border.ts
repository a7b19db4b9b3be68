import {
  createDialectState,
  type DialectChoice,
  type DialectName,
  type DialectNote,
  type DialectOptions,
  type DialectState,
  readMessage,
  writeMessage,
} from '@parley/dialects';
import type { Message } from '@parley/jsonrpc';

export type Json = Record<string, unknown>;

/** One side of a connection with a dialect on it, without a wire: what goes in, and what comes out of it. */
export interface Border {
  readonly state: DialectState;
  readonly notes: DialectNote[];
  readonly choices: DialectChoice[];
  /** What our side gets for a message of the peer. */
  read(message: unknown): unknown[];
  /** What the peer gets for a message of ours. */
  write(message: unknown): unknown[];
  /** What goes back to the peer at once. */
  readBack(message: unknown): unknown[];
  /** What comes back to us at once. */
  writeBack(message: unknown): unknown[];
  readParams(method: string, params: unknown): Json;
  writeParams(method: string, params: unknown): Json;
  /** Sends the request, canonical, and reads the peer's result. */
  readResult(method: string, result: unknown, params?: unknown): Json;
  /** Receives the request, in any dialect, and writes our result. */
  writeResult(method: string, result: unknown, params?: unknown): unknown;
  readError(method: string, error: unknown): Json;
  writeError(method: string, error: unknown): Json;
  readUpdate(update: unknown): Json;
  readUpdates(update: unknown): Json[];
  writeUpdate(update: unknown): Json;
  writeUpdates(update: unknown): Json[];
}

export function openBorder(dialect: DialectName | 'auto', options: Partial<DialectOptions> = {}): Border {
  const notes: DialectNote[] = [];
  const choices: DialectChoice[] = [];
  const state = createDialectState({
    onNote: (note) => notes.push(note),
    onDialect: (choice) => choices.push(choice),
    ...options,
    dialect,
  });
  let lastId = 1000;
  const request = (method: string, params: unknown): Json => ({ jsonrpc: '2.0', id: ++lastId, method, params });
  const update = (value: unknown): Json => ({
    jsonrpc: '2.0',
    method: 'session/update',
    params: { sessionId: 's', update: value },
  });
  const updatesOf = (messages: unknown[]): Json[] =>
    messages.map((message) => ((message as Json).params as Json).update as Json);

  const border: Border = {
    state,
    notes,
    choices,
    read: (message) => [...readMessage(message, state).toUs],
    write: (message) => [...writeMessage(message as Message, state).toPeer],
    readBack: (message) => [...readMessage(message, state).toPeer],
    writeBack: (message) => [...writeMessage(message as Message, state).toUs],
    readParams: (method, params) => paramsOf(border.read(request(method, params))),
    writeParams: (method, params) => paramsOf(border.write(request(method, params))),
    readResult: (method, result, params = defaultParams(method)) => {
      const asked = request(method, params);
      border.write(asked);
      return resultOf(border.read({ jsonrpc: '2.0', id: asked.id, result })) as Json;
    },
    writeResult: (method, result, params = defaultParams(method)) => {
      const asked = request(method, params);
      border.read(asked);
      return resultOf(border.write({ jsonrpc: '2.0', id: asked.id, result }));
    },
    readError: (method, error) => {
      const asked = request(method, defaultParams(method));
      border.write(asked);
      return (border.read({ jsonrpc: '2.0', id: asked.id, error }).at(-1) as Json).error as Json;
    },
    writeError: (method, error) => {
      const asked = request(method, defaultParams(method));
      border.read(asked);
      return (border.write({ jsonrpc: '2.0', id: asked.id, error }).at(-1) as Json).error as Json;
    },
    readUpdates: (value) => updatesOf(border.read(update(value))),
    writeUpdates: (value) => updatesOf(border.write(update(value))),
    readUpdate: (value) => border.readUpdates(value)[0] as Json,
    writeUpdate: (value) => border.writeUpdates(value)[0] as Json,
  };
  return border;
}

function paramsOf(messages: unknown[]): Json {
  if (messages.length !== 1) throw new Error(`expected one message, got ${messages.length}`);
  return (messages[0] as Json).params as Json;
}

function resultOf(messages: unknown[]): unknown {
  return (messages.at(-1) as Json).result;
}

/** Canonical params of a request whose params do not matter. */
export function defaultParams(method: string): Json {
  switch (method) {
    case 'initialize':
      return { protocolVersion: 1 };
    case 'authenticate':
      return { methodId: 'login' };
    case 'session/new':
      return { cwd: '/w', mcpServers: [] };
    case 'session/load':
    case 'session/resume':
      return { sessionId: 's', cwd: '/w', mcpServers: [] };
    case 'session/prompt':
      return { sessionId: 's', prompt: [] };
    case 'session/set_mode':
      return { sessionId: 's', modeId: 'full' };
    case 'session/set_config_option':
      return { sessionId: 's', configId: 'c', value: 'v' };
    case 'session/request_permission':
      return { sessionId: 's', toolCall: { toolCallId: 't' }, options: [] };
    default:
      return method.startsWith('terminal/') ? { sessionId: 's', terminalId: 'term' } : { sessionId: 's' };
  }
}
