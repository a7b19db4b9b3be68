import type { CloseReason, Message, Transport } from '@parley/jsonrpc';
import { isRecord, type MessageEntry, type TracedMessage } from '@parley/session/traces';
import { createComparison, type Expected } from './compare-messages.ts';

export interface ReplayOptions {
  readonly entries: readonly MessageEntry[];
  /** The side that we play. */
  readonly role: 'agent' | 'client';
  readonly transport: Transport;
  readonly isExact: boolean;
  /** Longest wait for the next message of the other side. */
  readonly stepMs: number;
  readonly signal: AbortSignal;
}

export interface ReplayResult {
  /** Messages of the other side that were as in the trace. */
  readonly matched: number;
  readonly divergence?: { readonly index: number; readonly expected: string; readonly got: string };
}

/**
 * Says what one side of a trace said, in its order, and waits at each message of the other side until that came. Ids and
 * session ids that the other side chooses anew are translated. Ends at the first message that is another one.
 */
export async function replay({
  entries,
  role,
  transport,
  isExact,
  stepMs,
  signal,
}: ReplayOptions): Promise<ReplayResult> {
  const ours = role === 'agent' ? 'in' : 'out';
  const inbox = createInbox(transport, signal);
  const comparison = createComparison({ isExact });
  let matched = 0;
  for (const [index, { direction, message }] of entries.entries()) {
    if (direction === ours) {
      comparison.sent(message);
      await transport.send(comparison.translate(message) as unknown as Message);
      continue;
    }
    const expected: Expected | undefined = comparison.expect(message);
    if (!expected) continue;
    for (;;) {
      const got = await inbox.next(stepMs);
      if (typeof got === 'string') return { matched, divergence: { index, expected: expected.says, got } };
      const verdict = comparison.compare(expected, got);
      if (verdict === 'pass over') continue;
      if (verdict !== 'same') return { matched, divergence: { index, expected: expected.says, got: verdict.got } };
      matched += 1;
      break;
    }
  }
  return { matched };
}

interface Inbox {
  /** The next message, or why there is none. */
  next(timeoutMs: number): Promise<TracedMessage | string>;
}

function createInbox(transport: Transport, signal: AbortSignal): Inbox {
  const waiting: TracedMessage[] = [];
  let end: string | undefined;
  let wake = (): void => {};
  transport.onFault(({ detail }) => {
    end ??= `something that is no message: ${detail}`;
    wake();
  });
  transport.onClose(({ error }: CloseReason) => {
    end ??= `the end of the connection${error ? `: ${error.message}` : ''}`;
    wake();
  });
  transport.onMessage((value) => {
    if (isRecord(value)) waiting.push(value);
    wake();
  });
  signal.addEventListener('abort', () => {
    end ??= 'an interruption';
    wake();
  });
  return {
    async next(timeoutMs) {
      const deadline = Date.now() + timeoutMs;
      for (;;) {
        const message = waiting.shift();
        if (message) return message;
        if (end !== undefined) return end;
        const leftMs = deadline - Date.now();
        if (leftMs <= 0) return `nothing within ${timeoutMs / 1000} s`;
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, leftMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
  };
}
