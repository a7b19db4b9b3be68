// An agent that wants a login before the first session, as many do. Speaks ACP on its own, one line at a time.
import { createInterface } from 'node:readline';

let isLoggedIn = false;
const answer = (id, body) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`);
const AUTH_METHODS = [
  { id: 'browser', name: 'Log in with the browser', description: 'Opens a page of the provider.' },
  { id: 'key', name: 'Use an API key', type: 'env_var', vars: [{ name: 'LOGIN_API_KEY' }] },
  { id: 'broken', name: 'Log in by post' },
  {
    id: 'tui',
    name: 'Log in in a terminal',
    type: 'terminal',
    args: ['login'],
    _meta: { 'terminal-auth': { command: '/opt/agent', args: ['login'] } },
  },
];

const HANDLERS = {
  initialize: () => ({
    result: { protocolVersion: 1, agentCapabilities: { loadSession: false }, authMethods: AUTH_METHODS },
  }),
  authenticate({ methodId }) {
    if (methodId === 'broken') return { error: { code: -32000, message: 'The letter was lost' } };
    isLoggedIn = true;
    return { result: {} };
  },
  'session/new': () =>
    isLoggedIn
      ? { result: { sessionId: 'one' } }
      : { error: { code: -32000, message: 'Authentication required', data: { authMethods: AUTH_METHODS } } },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  answer(id, HANDLERS[method]?.(params) ?? { error: { code: -32601, message: `${method} is not known` } });
});
