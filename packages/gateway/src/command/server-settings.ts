import type { EventLogOptions } from '../operations/event-log.ts';
import type { ListenPlace } from './listen/listen-place.ts';
import type { TlsFiles } from './listen/tls-files.ts';

/** A server as flags and settings describe it, before anything is read or opened. All paths are whole, except those of `serve`. */
export interface ServerSettings {
  /** What the key `serve` of the settings says about who is let in, as it is written there. */
  readonly serve: {
    /** Who else is let in, by name; each has sessions of its own. */
    readonly tokens?: Readonly<Record<string, TokenSource>>;
    /** Further names in `Host`, such as that of a proxy. */
    readonly hosts?: readonly string[];
    /** Web pages that may connect. */
    readonly origins?: readonly string[];
  };
  /** The settings file, and the folder in which a token is kept. */
  readonly places: { readonly config: string; readonly state: string };
  readonly place: ListenPlace | { readonly socketPath: string; readonly socketMode: number };
  readonly mayBeRemote: boolean;
  readonly tls: TlsFiles;
  /** Where sessions are kept, as it may be shown; undefined for a server that keeps them in memory. */
  readonly shownStore: string | undefined;
  readonly tokenFile: string | undefined;
  readonly drainMs: number;
  readonly log: {
    readonly level: NonNullable<EventLogOptions['level']> | 'silent';
    readonly file: string | undefined;
  };
  readonly auditFile: string | undefined;
  readonly metrics: 'token' | 'anyone' | 'off';
  /** Whether the page is served. */
  readonly hasPage: boolean;
}

/** Where a token is; never the token itself, since settings are shown, copied and kept in repositories. */
export interface TokenSource {
  readonly tokenFile?: string;
  readonly tokenEnv?: string;
  /** `sha256:` and the digest of the token as 64 hexadecimal digits. */
  readonly hash?: string;
}
