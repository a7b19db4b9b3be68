import type { DialectName } from './names.ts';

/** How the peer words ACP: by name, by finding out (`auto`), or with everything that can be said about it. */
export type DialectSetting = DialectName | 'auto' | DialectOptions;

/** How a peer is spoken to. Everything but `dialect` has a safe default. */
export interface DialectOptions {
  /** `auto` reads every dialect and writes the canonical one until a message shows which the peer speaks. */
  readonly dialect: DialectName | 'auto';
  /** Leaves out updates and refuses content that the dialect's document does not name. Default: false, they are sent. */
  readonly strict?: boolean;
  /** The modes our agent has, for `pharo`, which wants them in the answer to `initialize`. Default: none are told. */
  readonly modes?: readonly DialectMode[];
  /** Our mode ids and the peer's: `{ ask: 'read-only' }`. Default: the same on both sides. */
  readonly modeIds?: Readonly<Record<string, string>>;
  /** Where the working directory of a session is found that was made on an earlier connection (`harness`, `pharo`). */
  readonly findSession?: (sessionId: string) => KnownSession | undefined | Promise<KnownSession | undefined>;
  /** Takes the secrets that `pharo` puts into `authenticate`. Default: they are dropped, and a note says so. */
  readonly takeCredentials?: (methodId: string, credentials: unknown) => void;
  /** Gives the secrets that a `pharo` agent wants in `authenticate`. Default: none are sent. */
  readonly giveCredentials?: (methodId: string) => unknown;
  /** How `harness` hears of a cancelled prompt: a result with what was said so far, or error -32800. Default: `result`. */
  readonly cancelledPrompt?: 'result' | 'error';
  /** Ends the wire after a failed `authenticate`, as the `pharo` document says. Default: false, another try is allowed. */
  readonly closeAfterFailedAuthentication?: boolean;
  /** For `auto`, the framing of the peer's first message, where the wire knows it: `content-length` is a habit of `elephant`. */
  readonly framing?: () => 'newline' | 'content-length';
  /** For `auto`, the address or the path where the peer is met, where the wire knows it: `/acp/sse` is a habit of `elephant`. */
  readonly endpoint?: string;
  /** Hears which dialect the peer speaks, once it is known. */
  readonly onDialect?: (choice: DialectChoice) => void;
  /** Hears what a dialect could not carry. Never holds content or secrets. Must not throw. */
  readonly onNote?: (note: DialectNote) => void;
}

/** Which dialect is written, and why. */
export interface DialectChoice {
  readonly dialect: DialectName;
  /** The evidence, as a sentence for a log. */
  readonly because: string;
  /** A guess may still be corrected by a later message; a certain choice stays. */
  readonly isCertain: boolean;
}

/** Something a dialect could not carry. */
export interface DialectNote {
  /** The difference between dialects that is behind it; the test of that name tells more. */
  readonly row?: `D${number}`;
  readonly text: string;
}

export interface DialectMode {
  readonly id: string;
  readonly name: string;
  readonly description?: string | null;
}

export interface KnownSession {
  readonly cwd: string;
  readonly mcpServers?: readonly unknown[];
}
