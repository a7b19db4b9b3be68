import type { CheckFacts } from '../check.ts';
import type { Finding } from '../lints/finding.ts';
import { formatFrame } from '../messages/trace.ts';
import { notProvoked, Verdict } from '../verdict.ts';
import type { Protocol } from '../versions/protocol.ts';
import type { ClientRun } from './run/client-run.ts';

/** One statement about clients. */
export interface ClientCheck extends CheckFacts {
  /** The versions in which the rule holds. Default: version 1 alone. */
  readonly protocols?: readonly Protocol[];
  /** The scenario whose run it judges; without one it judges all runs, and needs at least `plain`. */
  readonly scenario?: string;
  /** Returns when the rule holds; otherwise throws a verdict. */
  judge(runs: readonly ClientRun[]): void;
}

export interface ScenarioCheck extends CheckFacts {
  readonly protocols?: readonly Protocol[];
  readonly scenario: string;
  judge(run: ClientRun): void;
}

/** A check of what the client did in one scenario. */
export function clientCheck(definition: ScenarioCheck): ClientCheck {
  return {
    ...definition,
    judge(runs) {
      const run = runs.find(({ scenario }) => scenario === definition.scenario);
      if (run) definition.judge(run);
      else notProvoked(`The scenario ${definition.scenario} was not played.`);
    },
  };
}

export interface ClientLint extends CheckFacts {
  readonly protocols?: readonly Protocol[];
  look(run: ClientRun): Iterable<Finding>;
  readonly unheard: string;
}

/** A check of everything that the client sent, whatever the scenario. */
export function clientLint(definition: ClientLint): ClientCheck {
  return {
    ...definition,
    judge(runs) {
      let occasions = 0;
      for (const run of runs) {
        for (const { frame, problem } of definition.look(run)) {
          occasions += 1;
          if (!problem) continue;
          const { expected, got } = problem;
          const wire = frame && [formatFrame(frame, 'agent')];
          throw new Verdict('unmet', `expected ${expected}, got ${got}`, {
            expected,
            got: `${got} (in scenario ${run.scenario})`,
            ...(wire && { wire }),
          });
        }
      }
      if (occasions === 0) notProvoked(definition.unheard);
    },
  };
}
