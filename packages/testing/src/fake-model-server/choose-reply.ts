import type { ErrorReply, PlainReply, Reply, ReplyCondition } from './script.ts';
import type { RequestSummary } from './wires/wire.ts';
import type { WireName } from './wires/wire-name.ts';

export interface AskedFor {
  readonly wire: WireName;
  readonly summary: RequestSummary;
}

/** Hands out the replies of a script: the first one left that fits, each once unless it repeats. */
export interface ReplyChooser {
  choose(asked: AskedFor): PlainReply;
  /** Adds replies at the end. */
  add(replies: readonly Reply[]): void;
  /** Forgets the replies that are left. */
  clear(): void;
}

/** What a request gets that the script has nothing for: an error that names the mistake and is not tried again. */
const NOTHING_LEFT: ErrorReply = {
  error: 'invalid_request',
  message: 'The script of the fake model server has no reply for this request.',
};

export function createReplyChooser(script: readonly Reply[], fallback: Reply = NOTHING_LEFT): ReplyChooser {
  const left: PlainReply[] = script.map(normalize);
  return {
    choose(asked) {
      const index = left.findIndex(({ when }) => when === undefined || fits(when, asked));
      const reply = left[index];
      if (reply === undefined) return normalize(fallback);
      if (!reply.repeat) left.splice(index, 1);
      return reply;
    },
    add: (replies) => void left.push(...replies.map(normalize)),
    clear: () => void left.splice(0),
  };
}

function normalize(reply: Reply): PlainReply {
  return typeof reply === 'string' ? { events: [{ type: 'text', text: reply }] } : reply;
}

function fits({ wire, contains, tool, hasToolResult }: ReplyCondition, asked: AskedFor): boolean {
  const { summary } = asked;
  return (
    (wire === undefined || wire === asked.wire) &&
    (contains === undefined || summary.lastUserText.includes(contains)) &&
    (tool === undefined || summary.tools.includes(tool)) &&
    (hasToolResult === undefined || hasToolResult === summary.hasToolResult)
  );
}
