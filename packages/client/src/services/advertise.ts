import type { ClientCapabilities } from '@parley/protocol';
import { META } from '@parley/session';
import type { AuthOptions } from '../auth/auth-options.ts';
import type { ClientDuties } from '../peer/client-duties.ts';
import type { AgentSource } from '../source/agent-source.ts';
import type { ServiceOptions } from './service-options.ts';

/** What `initialize` advertises: exactly what the duties have. */
export function advertise(
  duties: ClientDuties,
  { elicitation, auth, unstable = false }: ServiceOptions & { readonly auth?: AuthOptions },
  source: AgentSource,
): ClientCapabilities {
  const hasTerminalLogin = auth?.terminal === true && source.authenticateInTerminal !== undefined;
  return {
    fs: { readTextFile: duties.readTextFile !== undefined, writeTextFile: duties.writeTextFile !== undefined },
    terminal: duties.terminals !== undefined,
    session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
    ...(unstable && { plan: {}, subagents: {} }),
    ...(hasTerminalLogin && { auth: { terminal: true } }),
    ...(duties.elicit && {
      elicitation: { ...(elicitation?.form && { form: {} }), ...(elicitation?.url && { url: {} }) },
    }),
    // Agents that run commands themselves show them through `_meta` to clients that say they understand it.
    _meta: {
      terminal_output: true,
      [META.notice]: true,
      [META.subagent]: true,
      ...(hasTerminalLogin && { 'terminal-auth': true }),
    },
  };
}
