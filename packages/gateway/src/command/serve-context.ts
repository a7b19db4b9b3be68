import type { CliError, CommandContext, Finding } from '@parley/host/command-line';
import type { SessionStore } from '@parley/store';
import type { GatewayEvent } from '../events/gateway-event.ts';
import type { Gateway, GatewayListenOptions } from '../gateway-options.ts';
import type { ServedAgents } from './served-agents.ts';
import type { ServerSettings } from './server-settings.ts';

/**
 * The surroundings of `parley serve`, with the knowledge of the command around it: its settings, the agents that it finds by name,
 * and the page. Settings and agents may have more than is needed here; each goes back to the command as it came.
 */
export interface ServeContext<Settings extends ServerSettings, Agents extends ServedAgents> extends CommandContext {
  readSettings(): Promise<Settings>;
  /** Which agents are hosted. A problem with one that somebody asked for is thrown, unless `onProblem` takes it. */
  chooseAgents(settings: Settings, onProblem?: (error: CliError) => void): Promise<Agents>;
  /** Opens the store of the server and writes to it once. */
  openStore(settings: Settings): Promise<SessionStore>;
  createGateway(parts: GatewayParts<Settings, Agents>): Promise<Gateway>;
  pageRoutes(server: Gateway): Promise<NonNullable<GatewayListenOptions['routes']>>;
  /** The address of a server with its token, as the command and the page read it again. */
  formatLink(link: { readonly url: string; readonly token: string }): string;
  printFinding(finding: Finding): void;
}

export interface GatewayParts<Settings, Agents> {
  readonly settings: Settings;
  readonly hosted: Agents;
  readonly store: SessionStore;
  readonly onEvent: (event: GatewayEvent) => void;
  /** Taken out of what is kept of messages; may grow. */
  readonly secrets: readonly string[];
}

/** The flags of `parley serve` that are not for its settings or its agents. */
export interface ServerFlags {
  /** Only looks whether the server would start. */
  readonly check?: boolean;
  /** One line for scripts. */
  readonly json?: boolean;
  /** Shows the page in the browser of this machine. */
  readonly open?: boolean;
  readonly verbose?: boolean;
  readonly color?: boolean;
}
