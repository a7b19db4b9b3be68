import type { AgentOffer } from '@parley/session';
import type { Clock } from '../clock.ts';
import type { ReportDiagnostic } from '../diagnostics.ts';
import { CapabilityError } from '../errors.ts';
import type { ClientLimits } from '../limits.ts';
import type { AgentFacts, AgentPeer, CallOptions, Meta } from '../peer/agent-peer.ts';
import type { Phase } from '../phase.ts';
import type { Link } from './link.ts';
import type { ReconnectingLink } from './reconnecting-link.ts';
import { type RetryOptions, SAFE_TO_REPEAT, withRetry } from './retry.ts';
import type { SilenceWatchdog } from './silence-watchdog.ts';

export interface AgentCallsOptions {
  readonly links: ReconnectingLink;
  readonly clock: Clock;
  readonly random: () => number;
  readonly watchdog: SilenceWatchdog | undefined;
  /** How calls that are safe to repeat are repeated; false for never. */
  readonly retry: Partial<Pick<RetryOptions, 'maxAttempts' | 'firstPauseMs'>> | false | undefined;
  readonly limits: Pick<ClientLimits, 'requestTimeoutMs'>;
  readonly report: ReportDiagnostic;
}

/** Calls to the agent, over whichever link is open: with a deadline, and again where that is safe and may help. */
export class AgentCalls {
  readonly #options: AgentCallsOptions;

  constructor(options: AgentCallsOptions) {
    this.#options = options;
  }

  get facts(): AgentFacts {
    return this.link.facts;
  }

  /** The link that is open, or was last. */
  get link(): Link {
    return this.#options.links.link;
  }

  /** Makes a call outside the phases. */
  call<Result>(
    method: string,
    work: (peer: AgentPeer, options: CallOptions) => Promise<Result>,
    meta?: Meta,
  ): Promise<Result> {
    const options = { timeoutMs: this.#options.limits.requestTimeoutMs, meta };
    return this.#repeat(method, () => this.once((link) => work(link.peer, options), { method }));
  }

  /** Makes one of the calls that open a session. */
  runPhase<Result>(phase: Phase, work: (peer: AgentPeer, options: CallOptions) => Promise<Result>): Promise<Result> {
    return this.#repeat(phase, () =>
      this.once((link) => link.runPhase(phase, (signal) => work(link.peer, { signal })), { method: phase, phase }),
    );
  }

  /**
   * Makes a call a single time, when a link is open, for as long as it takes. Its errors are worded for people. With
   * `method`, the watchdog watches it.
   */
  async once<Result>(
    work: (link: Link) => Promise<Result>,
    { method, phase }: { readonly method?: string; readonly phase?: Phase } = {},
  ): Promise<Result> {
    const link = await this.#options.links.ready();
    const stopWatching = method === undefined ? undefined : this.#options.watchdog?.wait(method);
    try {
      return await work(link);
    } catch (error) {
      throw link.explain(error, phase);
    } finally {
      stopWatching?.();
    }
  }

  #repeat<Result>(method: string, call: () => Promise<Result>): Promise<Result> {
    const { retry, random, clock, links, report } = this.#options;
    if (retry === false || !SAFE_TO_REPEAT.has(method)) return call();
    return withRetry(call, {
      ...retry,
      random,
      clock,
      signal: links.signal,
      onRetry: ({ attempt, pauseMs, error }) =>
        report({
          kind: 'retrying',
          message: `${method} failed (attempt ${attempt}); trying again in ${Math.round(pauseMs)} ms.`,
          direction: 'out',
          method,
          error,
        }),
    });
  }
}

/** Throws before anything is sent when the agent does not offer what a call needs. */
export function requireOffer({ offers, capabilityOf }: AgentFacts, offer: AgentOffer, what: string): void {
  if (!offers[offer]) throw new CapabilityError(what, capabilityOf(offer));
}
