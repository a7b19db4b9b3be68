import { META } from '@parley/session';
import type { Clock } from '../clock.ts';
import type { ClientDiagnostic } from '../diagnostics.ts';
import { RECONNECT_DEFAULTS, type ReconnectingLinkOptions } from '../link/reconnecting-link.ts';
import type { Versions } from '../peer/protocol-version.ts';
import { versionsFor } from '../peer/versions.ts';
import { DEFAULT_DEADLINES, type PhaseEvent } from '../phase.ts';
import type { ClientServices } from '../services/client-services.ts';
import type { AgentSource } from '../source/agent-source.ts';
import { type ConnectOptions, DEFAULT_CLIENT_INFO } from './connect-options.ts';

export interface LinkOptionsContext {
  readonly source: AgentSource;
  readonly options: ConnectOptions;
  readonly clock: Clock;
  readonly random: () => number;
  /** In place of those that the options name. */
  readonly versions: Versions | undefined;
  readonly services: ClientServices;
  readonly onPhase: (event: PhaseEvent) => void;
  readonly onDiagnostic: (diagnostic: ClientDiagnostic) => void;
}

type LinkEvents = 'onLost' | 'onReconnecting' | 'onRestored' | 'onEnd';

/** How links to an agent are opened, and whether another follows the one that was lost. */
export function linkOptions(context: LinkOptionsContext): Omit<ReconnectingLinkOptions, LinkEvents> {
  const { source, options, clock, random, versions, services, onPhase, onDiagnostic } = context;
  const { reconnect = false, deadlines, clientInfo = DEFAULT_CLIENT_INFO, dialect, trace } = options;
  const mayReconnect = reconnect && !('isOnce' in source);
  // Only who comes back has a use for the numbers of events; an agent in memory is faster without.
  const meta = mayReconnect ? { [META.cursor]: true, ...options.meta } : options.meta;
  return {
    ...RECONNECT_DEFAULTS,
    clock,
    random,
    mayReconnect,
    trace,
    link: {
      source,
      clock,
      deadlines: { ...DEFAULT_DEADLINES, ...deadlines },
      onPhase,
      onDiagnostic,
      duties: services.duties,
      introduction: { clientInfo, capabilities: services.capabilities, meta },
      versions: () => versions ?? versionsFor({ ...options, carriesUpdates: source.carriesUpdates }),
      dialect,
    },
  };
}
