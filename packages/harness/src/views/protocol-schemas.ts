import type { NamedSchema } from './named-schema.ts';

type Schema = NamedSchema['schema'];

const TEXT: Schema = { type: 'string' };
const PAIRS: Schema = {
  type: 'array',
  items: { type: 'object', properties: { name: TEXT, value: TEXT }, required: ['name', 'value'] },
};
const VERSION: Schema = { const: '2.0' };
const ID: Schema = { type: ['string', 'integer', 'null'] };
const ERROR: Schema = {
  type: 'object',
  properties: { code: { type: 'integer' }, message: TEXT, data: true },
  required: ['code', 'message'],
};

/** The messages in a trace, and what they set up, as JSON schema: for programs that check their own. */
export const PROTOCOL_SCHEMAS: readonly NamedSchema[] = [
  named('McpServerConfig', 'an MCP server of a session', {
    type: 'object',
    properties: {
      type: { enum: ['stdio', 'http', 'sse'] },
      name: TEXT,
      command: TEXT,
      args: { type: 'array', items: TEXT },
      env: PAIRS,
      url: TEXT,
      headers: PAIRS,
    },
    required: ['name'],
    anyOf: [{ required: ['command'] }, { required: ['type', 'url'] }],
  }),
  named('Session', 'a session of an agent', {
    type: 'object',
    properties: { sessionId: TEXT, cwd: TEXT, title: { type: ['string', 'null'] }, updatedAt: TEXT },
    required: ['sessionId'],
  }),
  named('JsonRpcRequest', 'a request, or without an id a notification', {
    type: 'object',
    properties: { jsonrpc: VERSION, id: ID, method: TEXT, params: { type: ['object', 'array'] } },
    required: ['jsonrpc', 'method'],
  }),
  named('JsonRpcResponse', 'the answer to a request', {
    type: 'object',
    properties: { jsonrpc: VERSION, id: ID, result: true, error: ERROR },
    required: ['jsonrpc', 'id'],
    oneOf: [{ required: ['result'] }, { required: ['error'] }],
  }),
  named('JsonRpcError', 'the error in an answer', ERROR),
];

function named(name: string, says: string, schema: Schema): NamedSchema {
  return { name, says, schema: { $schema: 'https://json-schema.org/draft/2020-12/schema', title: name, ...schema } };
}
