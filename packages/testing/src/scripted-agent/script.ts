/**
 * What a scripted agent does, as data: it crosses to the child process as JSON. Methods without steps of their own get a
 * well-behaved answer. In every string of a step, `$sessionId` stands for the session of the message that is being
 * answered (or the newest), `$prompt` for the text of the prompt, `$index` for the round of a `repeat`, `$saved:name` for
 * a terminal id that a `request` saved, and `$fill:1000` for so many characters.
 */
export interface AgentScript {
  /** Done before anything is read. */
  readonly onStart?: readonly Step[];
  /** Done when a request or notification of this method arrives; `session/cancel s1` is only for those of session `s1`. */
  readonly on?: Readonly<Record<string, readonly Step[]>>;
  readonly protocolVersion?: number;
  readonly capabilities?: Readonly<Record<string, unknown>>;
  readonly authMethods?: readonly unknown[];
  /** Added to the result of `session/new`. */
  readonly session?: Readonly<Record<string, unknown>>;
  /** Goes on living when its input ends. */
  readonly ignoresEnd?: boolean;
}

export type Step =
  /** Answers the request. A request that no step answers stays open for ever. */
  | { readonly do: 'respond'; readonly result: unknown }
  | { readonly do: 'fail'; readonly code: number; readonly message: string; readonly data?: unknown }
  /** Sends one `session/update`. */
  | { readonly do: 'update'; readonly update: unknown; readonly sessionId?: string }
  /** Sends text as `agent_message_chunk`. */
  | { readonly do: 'say'; readonly text: string; readonly messageId?: string }
  /** Asks the client something; with `echo`, its answer is said as JSON text. */
  | {
      readonly do: 'request';
      readonly method: string;
      readonly params: unknown;
      readonly echo?: boolean;
      readonly save?: string;
    }
  /** Asks without waiting for the answer; `afterwards` is done when it comes. */
  | { readonly do: 'ask'; readonly method: string; readonly params: unknown; readonly afterwards?: readonly Step[] }
  | { readonly do: 'notify'; readonly method: string; readonly params: unknown }
  /** Writes bytes as they are. */
  | { readonly do: 'raw'; readonly text: string }
  | { readonly do: 'stderr'; readonly text: string }
  | { readonly do: 'wait'; readonly ms: number }
  /** Waits until a message of this method arrives. */
  | { readonly do: 'waitFor'; readonly method: string }
  | { readonly do: 'repeat'; readonly times: number; readonly steps: readonly Step[] }
  /** Sends everything these steps send in one write. */
  | { readonly do: 'inOneWrite'; readonly steps: readonly Step[] }
  | { readonly do: 'exit'; readonly code: number }
  | { readonly do: 'killSelf'; readonly signal: NodeJS.Signals }
  | { readonly do: 'closeOutput' }
  | { readonly do: 'ignoreSignals' }
  /** Starts a child that ignores SIGTERM and its input's end, and says its pid as text. */
  | { readonly do: 'spawnChild' }
  /** Says this process's own pid, environment variable or working directory as text. */
  | { readonly do: 'tell'; readonly what: 'pid' | 'cwd' | `env:${string}` }
  /** Stops the event loop for good. */
  | { readonly do: 'freeze' };

/** Steps that say a text and end the turn. */
export function sayAndEnd(text: string): Step[] {
  return [{ do: 'say', text }, END_TURN];
}

export const END_TURN: Step = { do: 'respond', result: { stopReason: 'end_turn' } };
