import type { Client } from '@parley/agent';
import type { AgentConnection, ConnectOptions } from '@parley/client';
import { errorOfKind } from '@parley/protocol';
import type { ClientOffers, FormQuestion, FormReply, PageQuestion, PermissionQuestion } from '@parley/session';
import { traceToTraffic } from '../traffic/trace-to-traffic.ts';
import { type Caller, latestClientOf } from './caller.ts';
import { createClientServices } from './client-services.ts';
import type { ForeignSessions } from './foreign/agent-process.ts';
import type { HostHooks } from './host-hooks.ts';
import type { HostOptions } from './host-options.ts';
import type { HostedSession } from './hosted-session.ts';
import { relayMcp } from './relayed-mcp.ts';
import { relayToClient, tellClient } from './relayed-methods.ts';
import type { ServicesAtClients } from './services-at-clients.ts';

export interface HostConnectParts {
  readonly options: HostOptions;
  /** The sessions of the process that is started, by their names there. */
  readonly sessions: ForeignSessions<HostedSession>;
  /** What the client offers for which it is started. */
  readonly offers: ClientOffers;
  readonly services: ServicesAtClients;
  /** Whoever the process is for. */
  readonly caller: Caller;
  /** Whose the process is; undefined where all share it. */
  readonly principal: string | undefined;
  readonly openTraffic: HostHooks['openTraffic'];
}

/** A cancelled turn is no longer waited for before the runtime of our side gives it up (5 s). */
const CANCEL_GRACE_MS = 4000;
/** Nobody here reads the events of a turn one by one. */
const MAX_TURN_EVENTS = 1;
/** Methods that are passed on take as long as their agents need. */
const REQUEST_TIMEOUT_MS = 30 * 60_000;

/** Tells clients what happens in sessions that their sessions have made. */
export function followChildren(
  starting: Promise<{ readonly connection: AgentConnection }>,
  sessions: ForeignSessions<HostedSession>,
): void {
  /** The session of ours behind each session that was made by one, or by one of those. */
  const roots = new Map<string, string>();
  const follow = ({ connection }: { readonly connection: AgentConnection }): void => {
    connection.on('subagent', ({ parentId, sessionId, event }) => {
      const root = roots.get(parentId) ?? parentId;
      roots.set(sessionId, root);
      sessions.get(root)?.follower.sink?.session.updateChild(sessionId, event);
    });
  };
  // Whoever waits for the start hears why it failed.
  starting.then(follow, () => {});
}

/** How a host speaks to its agent: everything that it asks is passed on to the clients of its sessions. */
export function hostConnectOptions(parts: HostConnectParts): ConnectOptions {
  const { options, sessions, offers, services, caller, principal } = parts;
  const clients = { sessions, latestClient: () => latestClientOf(caller) };
  const hosted = (sessionId: string | undefined): HostedSession | undefined =>
    sessions.get(sessionId ?? '')?.follower.sink;
  const pages = new Map<string, HostedSession>();
  const traffic = parts.openTraffic?.(principal, (name) => hosted(name)?.session);
  const ask = async (question: FormQuestion | PageQuestion, signal: AbortSignal): Promise<FormReply> => {
    const { questionId: _, sessionId, ...asked } = question;
    const session = hosted(sessionId);
    if (question.type === 'page' && session) pages.set(question.elicitationId, session);
    if (!session) return askLoginClient(caller.loginClient, question, signal);
    const answer = await session.ask(asked, signal);
    if (answer.type !== 'form') return { action: 'cancel' };
    return answer.action === 'accept' ? { action: 'accept', content: answer.content } : { action: answer.action };
  };
  return {
    ...options.connect,
    ...(traffic && { trace: traceToTraffic(traffic, options.connect?.trace) }),
    unstable: options.unstable ?? true,
    customContent: 'any',
    onSessionLost: 'fail',
    retry: false,
    limits: {
      cancelGraceMs: CANCEL_GRACE_MS,
      maxTurnEvents: MAX_TURN_EVENTS,
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
      ...options.connect?.limits,
    },
    ...createClientServices({ ...options, offers }),
    ...(options.fromClients !== false && {
      elsewhere: (method, params, signal) => services.ask(method, params, signal),
    }),
    permissions: {
      ...options.permissions,
      relay: async ({ sessionId, ...question }, { signal }) => {
        const session = hosted(sessionId);
        if (!session) throw errorOfKind('session_not_found', { data: { sessionId } });
        const answer = await session.ask(question, signal);
        return answer.type === 'permission' ? answer : { type: 'permission' };
      },
      ask: (question, { signal }) => askHere(hosted(question.sessionId), question, signal),
    },
    elicitation: {
      ...((!options.embedded || offers.elicitForm) && { form: (question, { signal }) => ask(question, signal) }),
      ...((!options.embedded || offers.elicitUrl) && { url: (question, { signal }) => ask(question, signal) }),
      onComplete: (elicitationId) => {
        pages.get(elicitationId)?.session.client.completeElicitation(elicitationId);
        pages.delete(elicitationId);
      },
    },
    answerMcp: (params, call) => relayMcp(sessions, params, call),
    auth: { ...options.connect?.auth, method: () => caller.loginMethod, terminal: offers.terminalAuth },
    extensions: {
      ...options.connect?.extensions,
      anyRequest: (method, params, signal) => relayToClient(clients, { method, params, signal }),
      anyNotification: (method, params) => tellClient(clients, { method, params }),
    },
    onDiagnostic: (diagnostic) => options.onDiagnostic?.(diagnostic),
  };
}

/** What the rules of this machine leave to a person. */
async function askHere(
  session: HostedSession | undefined,
  { questionId: _, sessionId: _id, ...question }: PermissionQuestion,
  signal: AbortSignal,
): Promise<'reject' | 'cancel' | { readonly optionId: string }> {
  const answer = await session?.ask(question, signal);
  if (answer?.type !== 'permission') return 'reject';
  return answer.optionId === undefined ? 'cancel' : { optionId: answer.optionId };
}

/** A form or a page that belongs to a login, and to no session. */
async function askLoginClient(
  client: Client | undefined,
  question: FormQuestion | PageQuestion,
  signal: AbortSignal,
): Promise<FormReply> {
  const { message } = question;
  const asked =
    question.type === 'form'
      ? { message, form: question.form, signal }
      : { message, url: question.url, elicitationId: question.elicitationId, signal };
  return client ? await client.elicit(asked) : { action: 'cancel' };
}
