/** What there is to judge: one attempt of an agent. */
export interface GraderParams {
  /** What the agent was told; several texts are several turns. */
  readonly input: string | readonly string[];
  readonly output: string;
  /** What a good answer has. */
  readonly hint?: string;
  readonly trajectory?: readonly TrajectoryStep[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Where the agent worked, with what it left there. */
  readonly cwd?: string;
}

/** One thing that the agent did: it thought, spoke, used a tool or made a plan. */
export interface TrajectoryStep {
  readonly type: string;
  readonly name?: string;
  readonly status?: string;
  readonly content?: string;
}

export interface GraderResult {
  readonly pass: boolean;
  /** From 0 to 1. */
  readonly score: number;
  readonly reasoning?: string;
  /** Whatever else you found out. */
  readonly outcome?: Readonly<Record<string, unknown>>;
}

/** Passes when each word of the hint is in the output; the score is the share of words that are. */
export async function grade({ output, hint = '', trajectory = [] }: GraderParams): Promise<GraderResult> {
  const said = output.toLowerCase();
  const words = hint.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) {
    const pass = said.trim() !== '';
    return { pass, score: pass ? 1 : 0, reasoning: 'There is no hint.' };
  }
  const missing = words.filter((word) => !said.includes(word));
  const failed = trajectory.filter(({ status }) => status === 'failed').map(({ name }) => name ?? 'a tool');
  const reasoning = missing.length > 0 ? `Missing: ${missing.join(', ')}.` : 'All words of the hint are there.';
  return {
    pass: missing.length === 0,
    score: 1 - missing.length / words.length,
    reasoning: failed.length > 0 ? `${reasoning} Failed on the way: ${failed.join(', ')}.` : reasoning,
  };
}
