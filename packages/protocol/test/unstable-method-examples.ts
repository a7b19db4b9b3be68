import type {
  AgentNotifications as StableAgentNotifications,
  AgentRequests as StableAgentRequests,
  ClientNotifications as StableClientNotifications,
  ClientRequests as StableClientRequests,
} from '../src/v1/index.ts';
import type {
  AgentNotifications,
  AgentRequests,
  ClientNotifications,
  ClientRequests,
  ProxyNotifications,
  ProxyRequests,
} from '../src/v1/unstable/index.ts';
import type { MethodExamples } from './method-examples.ts';

type Requests = AgentRequests & ClientRequests & ProxyRequests;
type Notifications = AgentNotifications & ClientNotifications & ProxyNotifications;

const sessionId = 'sess_1';
const cwd = '/home/me/app';

/** Every request that version 1 only has as unstable. */
export const UNSTABLE_REQUEST_EXAMPLES: MethodExamples<
  Omit<Requests, keyof StableAgentRequests | keyof StableClientRequests>
> = {
  'auth/status': {
    area: 'Connection and login',
    purpose: 'Tells whether somebody is logged in, and as whom; it never asks for a login.',
    params: {},
    result: { state: 'authenticated', accounts: [{ label: 'me@example.com', active: true }] },
  },
  'session/fork': {
    area: 'Sessions',
    purpose: 'Begins a new conversation that knows what an earlier one knew.',
    params: { sessionId, cwd, mcpServers: [] },
    result: { sessionId: 'sess_2' },
  },
  'session/archive': {
    area: 'Sessions',
    purpose: 'Puts a conversation away: it is closed, kept, and no longer listed by default.',
    params: { sessionId },
    result: {},
  },
  'session/unarchive': {
    area: 'Sessions',
    purpose: 'Puts an archived conversation back into the list, without opening it.',
    params: { sessionId },
    result: {},
  },
  'session/status': {
    area: 'Sessions',
    purpose: 'Tells whether a session is open or only saved, and changes nothing.',
    params: { sessionId },
    result: { status: 'open' },
  },
  'session/set_title': {
    area: 'Sessions',
    purpose: 'Names a conversation; the answer has the name as it was stored.',
    params: { sessionId, title: 'Repair the parser' },
    result: { title: 'Repair the parser' },
  },
  'providers/list': {
    area: 'Model providers',
    purpose: 'Lists the model providers whose address a client may set.',
    params: {},
    result: {
      providers: [
        {
          providerId: 'main',
          supported: ['anthropic', 'openai'],
          required: true,
          current: { apiType: 'anthropic', baseUrl: 'https://models.example.com' },
        },
      ],
    },
  },
  'providers/set': {
    area: 'Model providers',
    purpose: 'Sends a provider’s calls to another address, with other headers; the whole setting is replaced.',
    params: {
      providerId: 'main',
      apiType: 'openai',
      baseUrl: 'https://proxy.example.com/v1',
      headers: { Authorization: 'Bearer <token>' },
    },
    result: {},
  },
  'providers/disable': {
    area: 'Model providers',
    purpose: 'Turns a provider off, unless it is required.',
    params: { providerId: 'main' },
    result: {},
  },
  'mcp/message': {
    area: 'MCP over ACP',
    purpose: 'Carries an MCP request to a server that lives in the client; an MCP error travels in the result.',
    needs: 'the session has an MCP server of type `acp` with this `serverId`',
    params: { serverId: 'editor', requestId: 'mcp-1', method: 'tools/list', params: {} },
    result: { result: { tools: [] } },
  },
  'proxy/initialize': {
    area: 'Proxies',
    purpose: 'Takes the place of `initialize`: a conductor sends it to a component that has another behind it.',
    params: { protocolVersion: 1, clientCapabilities: { terminal: true } },
    result: { protocolVersion: 1, agentCapabilities: { loadSession: true } },
  },
  'proxy/successor': {
    area: 'Proxies',
    purpose: 'Wraps one request for the component behind a proxy; its result or error comes back unchanged.',
    params: { method: 'session/new', params: { cwd, mcpServers: [] } },
    result: { sessionId },
  },
};

/** Every notification that version 1 only has as unstable. */
export const UNSTABLE_NOTIFICATION_EXAMPLES: MethodExamples<
  Omit<Notifications, keyof StableAgentNotifications | keyof StableClientNotifications>
> = {
  'auth/status_update': {
    area: 'Connection and login',
    purpose: 'Tells that a login began or ended.',
    params: { state: 'unauthenticated' },
  },
  'mcp/message': {
    area: 'MCP over ACP',
    purpose: 'Carries an MCP notification about a request that is still open.',
    needs: 'a request `mcp/message` with this `requestId` is open',
    params: {
      serverId: 'editor',
      requestId: 'mcp-1',
      method: 'notifications/progress',
      params: { progressToken: 1, progress: 50 },
    },
  },
  'proxy/successor': {
    area: 'Proxies',
    purpose: 'Wraps one notification for the component behind a proxy.',
    params: { method: 'session/cancel', params: { sessionId } },
  },
};
