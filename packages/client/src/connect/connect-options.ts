import type { DialectSetting } from '@parley/dialects';
import type { Implementation } from '@parley/protocol';
import type { AuthOptions } from '../auth/auth-options.ts';
import type { Clock } from '../clock.ts';
import type { ClientDiagnostic } from '../diagnostics.ts';
import type { ClientLimits } from '../limits.ts';
import type { RetryOptions } from '../link/retry.ts';
import type { WatchdogOptions } from '../link/silence-watchdog.ts';
import type { Meta } from '../peer/agent-peer.ts';
import type { ProtocolSetting } from '../peer/versions.ts';
import type { Deadlines, PhaseEvent } from '../phase.ts';
import type { ServiceOptions } from '../services/service-options.ts';
import type { OnSessionLost } from '../session/session.ts';
import type { TraceOptions } from '../trace/trace.ts';

/** What this client is and does for the agent. Only what is set here is advertised. */
export interface ConnectOptions extends ServiceOptions {
  /** Who we are. Default: Parley. */
  readonly clientInfo?: Implementation;
  readonly auth?: AuthOptions;
  /** How the agent words ACP; `auto` finds out. Default: `canonical`. */
  readonly dialect?: DialectSetting;
  /**
   * Which version of ACP is spoken; `auto` takes the best that the agent speaks. Dialects are of version 1. Default: `auto`, and 1 where
   * `workspace` or `terminals` are served, since an agent of version 2 can use neither.
   */
  readonly protocol?: ProtocolSetting;
  /** How long each phase may take. */
  readonly deadlines?: Partial<Deadlines>;
  readonly limits?: Partial<ClientLimits>;
  /** Opens the agent again when it is lost, and its sessions where it can. Needs a source. Default: false. */
  readonly reconnect?: boolean;
  /** What becomes of a session that the agent says it no longer has. Default: `load`. */
  readonly onSessionLost?: OnSessionLost;
  /** `_meta` of `initialize`. The answer's is `connection.meta`. */
  readonly meta?: Meta;
  /** How calls that are safe to repeat are repeated; false for never. Default: up to five times, after 1, 2, 4 and 8 s. */
  readonly retry?: Partial<Pick<RetryOptions, 'maxAttempts' | 'firstPauseMs'>> | false;
  /** Records every message. */
  readonly trace?: TraceOptions;
  /** Reports when the agent falls silent. */
  readonly watchdog?: WatchdogOptions;
  /**
   * Content types of your own that prompts may hold: `['_chart']`, or `any`. Agents built with Parley get them as they were
   * sent.
   */
  readonly customContent?: readonly `_${string}`[] | 'any';
  /** The images that prompts may hold, such as `IMAGE_MIME_TYPES` of the protocol. Default: any that the agent takes. */
  readonly imageMimeTypes?: readonly string[];
  /** The sounds that prompts may hold, such as `AUDIO_MIME_TYPES`. Default: any that the agent takes. */
  readonly audioMimeTypes?: readonly string[];
  readonly onPhase?: (event: PhaseEvent) => void;
  /** Is called for everything odd that did not end the connection. */
  readonly onDiagnostic?: (diagnostic: ClientDiagnostic) => void;
  /** Gives up connecting. */
  readonly signal?: AbortSignal;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** From 0 to 1, for pauses between tries. Default: `Math.random`. */
  readonly random?: () => number;
}

export const DEFAULT_CLIENT_INFO: Implementation = { name: 'parley', title: 'Parley', version: '0.1.0' };
