import {
  type AgentCapabilities,
  type AuthMethod,
  acceptsBooleanOptions,
  type ClientCapabilities,
  canAuthenticateInTerminal,
  canElicit,
  canReadTextFile,
  canUseTerminals,
  canWriteTextFile,
  hasCapability,
} from '@parley/protocol';
import { META } from '../meta.ts';
import type { AgentOffer, AgentOffers, ClientOffers } from '../offers.ts';

/** Where version 1 has each offer of an agent among its capabilities. */
const AGENT_PATHS: { readonly [Offer in Exclude<AgentOffer, 'cursors' | 'mcpStdio'>]: string } = {
  loadSession: 'loadSession',
  resumeSession: 'sessionCapabilities.resume',
  listSessions: 'sessionCapabilities.list',
  closeSession: 'sessionCapabilities.close',
  deleteSession: 'sessionCapabilities.delete',
  forkSession: 'sessionCapabilities.fork',
  additionalDirectories: 'sessionCapabilities.additionalDirectories',
  image: 'promptCapabilities.image',
  audio: 'promptCapabilities.audio',
  embeddedContext: 'promptCapabilities.embeddedContext',
  steer: 'promptCapabilities._meta.parley/steer',
  mcpHttp: 'mcpCapabilities.http',
  mcpSse: 'mcpCapabilities.sse',
  mcpAcp: 'mcpCapabilities.acp',
  logout: 'auth.logout',
  archiveSession: 'sessionCapabilities.archive',
  sessionStatus: 'sessionCapabilities.status',
  setSessionTitle: 'sessionCapabilities.title',
  systemPrompt: 'sessionCapabilities.systemPrompt',
  overrideSystemPrompt: 'sessionCapabilities.systemPrompt.mode.override',
  authStatus: 'auth.status',
  providers: 'providers',
};

/** What an agent offers, by its answer to `initialize` in version 1. */
export function agentOffersFromV1(answer: {
  readonly agentCapabilities?: AgentCapabilities | null;
  readonly authMethods?: readonly AuthMethod[] | null;
  readonly _meta?: Readonly<Record<string, unknown>> | null;
}): AgentOffers {
  const offered = Object.keys(AGENT_PATHS).map((offer) => [
    offer,
    hasCapability(answer, v1CapabilityOf(offer as AgentOffer)),
  ]);
  return {
    ...(Object.fromEntries(offered) as Record<keyof typeof AGENT_PATHS, boolean>),
    mcpStdio: true,
    cursors: answer._meta?.[META.cursor] === true,
    authMethods: answer.authMethods ?? [],
  };
}

/** The name that version 1 has for an offer of an agent: `agentCapabilities.loadSession`. */
export function v1CapabilityOf(offer: AgentOffer): string {
  if (offer === 'cursors') return `_meta["${META.cursor}"]`;
  return `agentCapabilities.${offer === 'mcpStdio' ? 'mcpCapabilities' : AGENT_PATHS[offer]}`;
}

interface InitializeFacts {
  readonly clientCapabilities?: ClientCapabilities | null;
  readonly _meta?: Readonly<Record<string, unknown>> | null;
}

/** What a client offers, by its `initialize` in version 1. Unstable capabilities count only for an agent that uses them. */
export function clientOffersFromV1(initialize: InitializeFacts, isUnstable: boolean): ClientOffers {
  const client = initialize.clientCapabilities ?? {};
  const has = (path: string): boolean => hasCapability({ clientCapabilities: client }, `clientCapabilities.${path}`);
  return {
    readTextFile: canReadTextFile(client),
    writeTextFile: canWriteTextFile(client),
    terminals: canUseTerminals(client),
    agentTerminals: false,
    elicitForm: canElicit(client, 'form'),
    elicitUrl: canElicit(client, 'url'),
    notices: has('session.notices'),
    changingNotices: client._meta?.[META.notice] === true,
    compaction: has('session.compaction'),
    booleanOptions: acceptsBooleanOptions(client),
    terminalAuth: canAuthenticateInTerminal(client),
    cursors: initialize._meta?.[META.cursor] === true,
    ownTurnsOnly: initialize._meta?.[META.ownTurnsOnly] === true,
    plans: isUnstable && has('plan'),
    subagents: isUnstable && has('subagents'),
    nestedSubagents: client._meta?.[META.subagent] === true,
  };
}
