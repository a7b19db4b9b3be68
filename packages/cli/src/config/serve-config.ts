import type { TokenSource } from '@parley/gateway/command';

/** What a settings file may say about `parley serve`. Files count from the folder of the settings, or with `~/` from home. */
export interface ServeConfig {
  readonly host?: string;
  readonly port?: number;
  /** A unix domain socket, in place of `host` and `port`. */
  readonly socket?: string;
  /** The file mode of the socket. Default: `600`. */
  readonly socketMode?: '600' | '660' | '666';
  /** On an address that other machines can reach. */
  readonly allowRemote?: boolean;
  /** Which agents are hosted. Default: our own, and all of `agents`. */
  readonly agents?: readonly string[];
  readonly defaultAgent?: string;
  /** Who else is let in, by name; each has sessions of its own. */
  readonly tokens?: Readonly<Record<string, TokenConfig>>;
  /** What each of them may use at once. */
  readonly caps?: CapsConfig;
  readonly tls?: { readonly cert?: string; readonly key?: string };
  readonly hosts?: readonly string[];
  readonly origins?: readonly string[];
  /** The file that sessions are kept in; false keeps them in memory. */
  readonly store?: string | false;
  readonly leaseSeconds?: number;
  /** Turns that are kept of each session, and for how many days. Default: all, for ever. */
  readonly keepTurns?: number;
  readonly keepDays?: number;
  readonly idleMinutes?: number;
  readonly processes?: 'shared' | 'perPrincipal' | 'perSession';
  readonly rememberBy?: 'transcript' | 'notice';
  /** Files and terminals of this machine for agents whose clients offer none. */
  readonly files?: boolean;
  readonly terminals?: boolean;
  readonly log?: { readonly level?: LogLevel; readonly file?: string };
  readonly audit?: string;
  /** Who may read `/metrics`. */
  readonly metrics?: 'token' | 'anyone' | 'off';
  readonly drainSeconds?: number;
  /** Whether the page is served beside the agents. */
  readonly web?: boolean;
  /** Whether the last messages are kept for the inspector. */
  readonly traffic?: boolean;
}

/** The token of one who is let in, and the caps for this one. */
export interface TokenConfig extends TokenSource {
  /** Caps of this one, in place of those for all. */
  readonly caps?: CapsConfig;
}

export interface CapsConfig {
  readonly connections?: number;
  readonly sessions?: number;
  readonly processes?: number;
  readonly bytesPerSecond?: number;
  readonly requestsPerSecond?: number;
}

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];
