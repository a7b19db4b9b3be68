import { type Agent, type AuthMethodDefinition, agent } from '@parley/agent';
import type { AgentConnection } from '@parley/client';
import type { AuthMethod } from '@parley/protocol';
import { otherFields } from '@parley/session';
import type { HostOptions } from './host-options.ts';

/** What a host does for the clients of its agent. */
export interface HostHandlers {
  readonly onPrompt: Parameters<Agent['onPrompt']>[0];
  readonly onSession: Parameters<Agent['onSession']>[0];
  readonly onSetting: Parameters<Agent['onSetting']>[0];
  readonly onDelete: Parameters<Agent['onDelete']>[0];
  readonly onAnyRequest: Parameters<Agent['onAnyRequest']>[0];
  readonly onAnyNotification: Parameters<Agent['onAnyNotification']>[0];
  readonly onLogin: (methodId: string) => Parameters<Agent['auth']>[1];
  readonly onLogout: Parameters<Agent['onLogout']>[0];
}

/** An agent of ours that says of itself what the hosted one said when it was started. */
export function defineAgent(
  connection: Pick<AgentConnection, 'agent' | 'agentInfo' | 'offers' | 'capabilities' | 'meta' | 'protocolVersion'>,
  options: HostOptions,
  handlers: HostHandlers,
): Agent {
  const { offers, agentInfo, capabilities, meta } = connection;
  const { store, limits, onDiagnostic, unstable = true, embedded } = options;
  const built = agent({
    name: agentInfo?.name ?? connection.agent,
    version: agentInfo?.version ?? 'unknown',
    ...(agentInfo?.title != null && { title: agentInfo.title }),
    ...(store && { store }),
    ...(limits && { limits }),
    ...(onDiagnostic && { onDiagnostic }),
    ...(meta && { meta }),
    ...(capabilities._meta && { capabilitiesMeta: capabilities._meta }),
    ...(unstable && offers.systemPrompt && { systemPrompt: offers.overrideSystemPrompt ? 'override' : 'append' }),
    additionalDirectories: offers.additionalDirectories,
    unstable,
    steering: offers.steer,
    sessionSettings: true,
    relay: true,
    ...(embedded && { latestVersion: connection.protocolVersion === 1 ? 1 : 2 }),
    ...(unstable && { relayedCapabilities: { version: connection.protocolVersion, capabilities } }),
  })
    .onPrompt(handlers.onPrompt)
    .onSession(handlers.onSession)
    .onSetting(handlers.onSetting)
    .onDelete(handlers.onDelete)
    .onAnyRequest(handlers.onAnyRequest)
    .onAnyNotification(handlers.onAnyNotification);
  if (offers.image) built.accepts('image');
  if (offers.audio) built.accepts('audio');
  if (offers.embeddedContext) built.accepts('resource');
  if (offers.mcpHttp) built.acceptsMcp('http');
  if (offers.mcpSse) built.acceptsMcp('sse');
  if (unstable && offers.mcpAcp) built.acceptsMcp('acp');
  for (const method of offers.authMethods) {
    const { id, name, description, _meta } = method;
    const told = { id, name, ...(description != null && { description }), ...(_meta && { meta: _meta }) };
    const extra = otherFields(method, AUTH_METHOD_FIELDS);
    if (!('type' in method && method.type === 'terminal'))
      built.auth({ ...told, ...(extra && { extra }) }, handlers.onLogin(id));
    else if (embedded || namesCommand(_meta)) built.auth({ ...told, terminal: terminalOf(method) });
  }
  if (offers.logout) built.onLogout(handlers.onLogout);
  return built;
}

const AUTH_METHOD_FIELDS: ReadonlySet<string> = new Set(['id', 'name', 'description', '_meta']);

/**
 * Whether a login in a terminal tells the whole command, as `terminal-auth` does. One that does not is run with the program that the
 * client has started, which is the agent's own only where no host is between them.
 */
function namesCommand(meta: Readonly<Record<string, unknown>> | null | undefined): boolean {
  const note = meta?.['terminal-auth'] as { readonly command?: unknown } | null | undefined;
  return typeof note?.command === 'string';
}

function terminalOf({
  args,
  env,
}: Extract<AuthMethod, { type: 'terminal' }>): NonNullable<AuthMethodDefinition['terminal']> {
  return { ...(args && { args }), ...(env && { env }) };
}
