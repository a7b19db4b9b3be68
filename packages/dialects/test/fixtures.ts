import { readFileSync } from 'node:fs';
import type { DialectName } from '@parley/dialects';
import type { Json } from './border.ts';

/** One example of a document, or a shape that its prose or structs describe. */
export interface Example {
  readonly line: number;
  readonly what: string;
  readonly place:
    | 'message'
    | 'notification'
    | 'params'
    | 'result'
    | 'update'
    | 'block'
    | 'toolCallContent'
    | 'mcpServer'
    | 'clientCapabilities'
    | 'agentCapabilities'
    | 'modes'
    | 'launch';
  /** The request, or, for a response, the request that it answers. */
  readonly method?: string;
  readonly shows: unknown;
  /** Why the example has no canonical form. */
  readonly cannot?: string;
  /** Why another form is written than the one shown. */
  readonly readOnly?: string;
  /** Fields that are written beyond what is shown. */
  readonly beyond?: readonly string[];
  /** Fields that are shown and not written. */
  readonly less?: readonly string[];
}

export interface Document {
  readonly dialect: DialectName;
  readonly document: string;
  readonly examples: readonly Example[];
}

const FOLDER = new URL('./fixtures/', import.meta.url);

export const DOCUMENTS: readonly Document[] = ['harness', 'overview', 'go', 'elephant', 'pharo'].map((name) =>
  JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')),
);

/** The example as a whole JSON-RPC message of its dialect. */
export function messageOf({ place, shows, method }: Example): Json {
  switch (place) {
    case 'message':
      return shows as Json;
    case 'notification':
      return { jsonrpc: '2.0', method, params: shows };
    case 'params':
      return { jsonrpc: '2.0', id: 1, method, params: shows };
    case 'result':
      return { jsonrpc: '2.0', id: 1, result: shows };
    case 'update':
      return updateMessage(shows);
    case 'block':
      return { jsonrpc: '2.0', id: 1, method: 'session/prompt', params: { sessionId: 's', prompt: [shows] } };
    case 'toolCallContent':
      return updateMessage(TOOL_CALL_WITH(shows));
    case 'mcpServer':
      return { jsonrpc: '2.0', id: 1, method: 'session/new', params: { cwd: '/w', mcpServers: [shows] } };
    case 'clientCapabilities':
      return { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1, clientCapabilities: shows } };
    case 'agentCapabilities':
      return { jsonrpc: '2.0', id: 1, result: { protocolVersion: 1, agentCapabilities: shows } };
    case 'modes':
      return { jsonrpc: '2.0', id: 1, result: { sessionId: 's', modes: shows } };
    case 'launch':
      throw new Error('a launch configuration is no message');
  }
}

/** The part of a written message where the example stands. */
export function partOf({ place }: Example, message: Json): unknown {
  const params = message.params as Json;
  const result = message.result as Json;
  switch (place) {
    case 'message':
      return message;
    case 'notification':
    case 'params':
      return params;
    case 'result':
      return result;
    case 'update':
      return params.update;
    case 'block':
      return (params.prompt as unknown[])[0];
    case 'toolCallContent': {
      const update = params.update as Json;
      return ((update.content ?? update.output) as unknown[])[0];
    }
    case 'mcpServer':
      return (params.mcpServers as unknown[])[0];
    case 'clientCapabilities':
      return params.clientCapabilities;
    case 'agentCapabilities':
      return result.agentCapabilities;
    case 'modes':
      return result.modes;
    case 'launch':
      throw new Error('a launch configuration is no message');
  }
}

/** The request that a response answers, for examples that are one. */
export function answeredMethod({ place, method }: Example): string | undefined {
  if (place === 'agentCapabilities') return 'initialize';
  return place === 'modes' ? 'session/new' : method;
}

const TOOL_CALL_WITH = (item: unknown): Json => ({
  sessionUpdate: 'tool_call_update',
  toolCallId: 't',
  status: 'completed',
  content: [item],
});

function updateMessage(update: unknown): Json {
  return { jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update } };
}
