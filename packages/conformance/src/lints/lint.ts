import { type Check, type CheckFacts, check } from '../check.ts';
import { type Frame, formatFrame, type Side } from '../probe/trace.ts';
import type { Hearing } from '../run/agent-run.ts';
import { notProvoked, unmet } from '../verdict.ts';

/** One occasion on which the rule applied, and how it was broken, if it was. */
export interface Finding {
  readonly frame?: Frame;
  readonly problem?: { readonly expected: string; readonly got: string };
}

/** A rule about everything that is said, judged over all that was heard in a run. */
export interface Lint extends CheckFacts {
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
        judge(
          hearings.map((hearing) => definition.look(hearing)),
          definition.unheard,
          'client',
        );
      },
    }),
    isLint: true,
  };
}

/** Fails on the first broken occasion; without any occasion there is nothing to say. */
export function judge(findings: readonly Iterable<Finding>[], unheard: string, ownSide: Side): void {
  let occasions = 0;
  for (const list of findings) {
    for (const { frame, problem } of list) {
      occasions += 1;
      if (problem) unmet(problem.expected, problem.got, frame && [formatFrame(frame, ownSide)]);
    }
  }
  if (occasions === 0) notProvoked(unheard);
}

/** Frames that the agent sent. */
export function* fromAgent({ trace }: Hearing): Iterable<Frame> {
  for (const frame of trace.frames) if (frame.from === 'agent') yield frame;
}
