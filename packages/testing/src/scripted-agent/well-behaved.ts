import { type AgentScript, END_TURN, type Step } from './script.ts';

/** What an agent does that nobody has scripted otherwise. */
export function wellBehaved(
  script: AgentScript,
  method: string,
  isRequest: boolean,
  sessionId: string,
): readonly Step[] {
  if (!isRequest) return [];
  const result = results(script, sessionId)[method];
  if (result !== undefined) return [{ do: 'respond', result }];
  if (method === 'session/prompt') return [{ do: 'say', text: 'You said: $prompt' }, END_TURN];
  return [{ do: 'fail', code: -32601, message: `Method not found: ${method}` }];
}

function results(script: AgentScript, sessionId: string): Record<string, unknown> {
  return {
    initialize: {
      protocolVersion: script.protocolVersion ?? 1,
      agentInfo: { name: 'scripted', version: '1.0.0' },
      agentCapabilities: script.capabilities ?? {},
      authMethods: script.authMethods ?? [],
    },
    authenticate: {},
    logout: {},
    'session/new': { sessionId, ...script.session },
    'session/fork': { sessionId, ...script.session },
    'session/load': { ...script.session },
    'session/resume': { ...script.session },
    'session/list': { sessions: [] },
    'session/close': {},
    'session/delete': {},
    'session/set_mode': {},
    'session/set_config_option': { configOptions: script.session?.configOptions ?? [] },
  };
}
