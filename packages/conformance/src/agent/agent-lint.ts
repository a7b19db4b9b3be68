import type { CheckFacts } from '../check.ts';
import type { Finding } from '../lints/finding.ts';
import { type Frame, formatFrame } from '../messages/trace.ts';
import { notProvoked, Verdict } from '../verdict.ts';
import type { Protocol } from '../versions/protocol.ts';
import { type Check, check } from './agent-check.ts';
import type { Hearing } from './run/agent-run.ts';

/** A rule about everything that is said, judged over all that was heard in a run. */
export interface Lint extends CheckFacts {
  readonly protocols?: readonly Protocol[];
  /** The occasions in one trace. */
  look(hearing: Hearing): Iterable<Finding>;
  /** What was never heard when there is no occasion at all. */
  readonly unheard: string;
}

/** Makes a check of a lint. It runs after all others, so that it judges what they have heard too. */
export function lint(definition: Lint): Check {
  return {
    ...check({
      ...definition,
      async run(context) {
        const hearings = await context.hearings();
        judge(hearings, definition);
      },
    }),
    isLint: true,
  };
}

/** Fails on the first broken occasion; without any occasion there is nothing to say. */
function judge(hearings: readonly Hearing[], { look, unheard }: Lint): void {
  let occasions = 0;
  for (const hearing of hearings) {
    for (const { frame, problem } of look(hearing)) {
      occasions += 1;
      if (!problem) continue;
      const { expected, got } = problem;
      const heardIn = hearing.spans.find(({ from, to }) => frame && frame.number > from && frame.number <= to)?.id;
      throw new Verdict('unmet', `expected ${expected}, got ${got}`, {
        expected,
        got,
        ...(frame && { wire: [formatFrame(frame, 'client')] }),
        ...(heardIn === undefined ? {} : { heardIn }),
      });
    }
  }
  if (occasions === 0) notProvoked(unheard);
}

/** Frames that the agent sent. */
export function* fromAgent({ trace }: Hearing): Iterable<Frame> {
  for (const frame of trace.frames) if (frame.from === 'agent') yield frame;
}
