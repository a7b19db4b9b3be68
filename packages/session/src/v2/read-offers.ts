import { hasCapability } from '@parley/protocol';
import type { AgentCapabilities, AuthMethod, ClientCapabilities } from '@parley/protocol/v2';
import { META } from '../meta.ts';
import type { AgentOffer, AgentOffers, ClientOffers } from '../offers.ts';
import { authMethodsFromV2 } from './settings.ts';

/** What version 2 says elsewhere than among the capabilities, or has no word for. */
type Elsewhere = 'cursors' | 'logout' | 'mcpSse';

/** Where version 2 has each offer of an agent among its capabilities. An agent with sessions opens, lists and closes them all. */
const AGENT_PATHS: { readonly [Offer in Exclude<AgentOffer, Elsewhere>]: string } = {
  loadSession: 'session',
  resumeSession: 'session',
  listSessions: 'session',
  closeSession: 'session',
  deleteSession: 'session.delete',
  forkSession: 'session.fork',
  additionalDirectories: 'session.additionalDirectories',
  image: 'session.prompt.image',
  audio: 'session.prompt.audio',
  embeddedContext: 'session.prompt.embeddedContext',
  steer: 'session.prompt._meta.parley/steer',
  mcpStdio: 'session.mcp.stdio',
  mcpHttp: 'session.mcp.http',
  mcpAcp: 'session.mcp.acp',
  archiveSession: 'session.archive',
  sessionStatus: 'session.status',
  setSessionTitle: 'session.title',
  systemPrompt: 'session.systemPrompt',
  overrideSystemPrompt: 'session.systemPrompt.mode.override',
  authStatus: 'auth.status',
  providers: 'providers',
};

/** What an agent offers, by its answer to `initialize` in version 2. */
export function agentOffersFromV2(answer: {
  readonly capabilities?: AgentCapabilities | null;
  readonly authMethods?: readonly AuthMethod[] | null;
  readonly _meta?: Readonly<Record<string, unknown>> | null;
}): AgentOffers {
  const { capabilities, authMethods, _meta } = answer;
  const offered = Object.entries(AGENT_PATHS).map(([offer, path]) => [
    offer,
    hasCapability({ agentCapabilities: capabilities }, `agentCapabilities.${path}`),
  ]);
  return {
    ...(Object.fromEntries(offered) as Record<keyof typeof AGENT_PATHS, boolean>),
    mcpSse: false,
    // Who can log in can log out.
    logout: (authMethods ?? []).length > 0,
    cursors: _meta?.[META.cursor] === true,
    authMethods: authMethodsFromV2(authMethods ?? []),
  };
}

/** The name that version 2 has for an offer of an agent: `capabilities.session.delete`. */
export function v2CapabilityOf(offer: AgentOffer): string {
  if (offer === 'cursors') return `_meta["${META.cursor}"]`;
  if (offer === 'logout') return 'authMethods';
  return `capabilities.${offer === 'mcpSse' ? 'session.mcp.sse' : AGENT_PATHS[offer]}`;
}

interface InitializeFacts {
  readonly capabilities?: ClientCapabilities | null;
  readonly _meta?: Readonly<Record<string, unknown>> | null;
}

/** What a client offers, by its `initialize` in version 2: files and terminals are the agent's own, and every update is for every client. */
export function clientOffersFromV2({ capabilities, _meta }: InitializeFacts, isUnstable: boolean): ClientOffers {
  const has = (path: string): boolean =>
    hasCapability({ clientCapabilities: capabilities }, `clientCapabilities.${path}`);
  return {
    readTextFile: false,
    writeTextFile: false,
    terminals: false,
    agentTerminals: true,
    elicitForm: has('elicitation.form'),
    elicitUrl: has('elicitation.url'),
    notices: true,
    changingNotices: capabilities?._meta?.[META.notice] === true,
    compaction: true,
    booleanOptions: true,
    terminalAuth: has('auth.terminal'),
    cursors: _meta?.[META.cursor] === true,
    ownTurnsOnly: _meta?.[META.ownTurnsOnly] === true,
    plans: true,
    subagents: isUnstable,
    nestedSubagents: capabilities?._meta?.[META.subagent] === true,
  };
}
