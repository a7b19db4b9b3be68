import type { CaptureResult, TrajectoryStep, TrialEntry, TrialResult } from '../../src/formats/index.ts';
import { createRandom } from '../../src/statistics/index.ts';

export interface SampleRun {
  readonly tasks: number;
  /** How likely a task is passed, before its own difficulty. */
  readonly skill: number;
  /** How long an attempt takes, on average. */
  readonly speedMs: number;
  readonly seed: number;
}

const VERBS = ['fix', 'rename', 'test', 'explain', 'refactor', 'document', 'port', 'profile'];
const THINGS = [
  'retry-loop',
  'parser',
  'config-file',
  'login-form',
  'cache',
  'date-range',
  'worker-pool',
  'csv-import',
];

/** Results as an agent of that skill might have left them: the same for the same seed. */
export function* sampleCaptures(run: SampleRun): Generator<CaptureResult> {
  for (let task = 0; task < run.tasks; task++) {
    const { input, attempt } = sampleAttempt(run, task, 1);
    const { pass = false, score = 0, reasoning, duration, trialNum: _, ...rest } = attempt;
    yield {
      id: idOf(task),
      input,
      hint: 'All tests pass, and no file outside src is touched.',
      metadata: { agent: 'sample', trajectoryRichness: 'full', turnCount: 1, category: VERBS[task % VERBS.length] },
      timing: { start: 0, end: duration, sessionCreation: 120, firstResponse: 300, total: duration },
      toolErrors: false,
      ...rest,
      ...(rest.failure === undefined && { score: { pass, score, ...(reasoning !== undefined && { reasoning }) } }),
    };
  }
}

export function* sampleTrials(run: SampleRun & { readonly k: number }): Generator<TrialResult> {
  for (let task = 0; task < run.tasks; task++) {
    const attempts = Array.from({ length: run.k }, (_, index) => sampleAttempt(run, task, index + 1));
    const trials = attempts.map(({ attempt }) => attempt);
    yield { id: idOf(task), input: attempts[0]?.input ?? '', k: run.k, trials };
  }
}

function idOf(task: number): string {
  const round = Math.floor(task / 64);
  return `${VERBS[task % 8]}-${THINGS[Math.floor(task / 8) % 8]}${round > 0 ? `-${round + 1}` : ''}`;
}

function sampleAttempt(
  { skill, speedMs, seed }: SampleRun,
  task: number,
  trial: number,
): { readonly input: string; readonly attempt: TrialEntry } {
  // Difficulty belongs to the task and is the same for every run; luck belongs to the attempt.
  const difficulty = createRandom(task + 1).next();
  const random = createRandom(seed * 1_000_003 + task * 1009 + trial);
  const duration = Math.round(speedMs * (0.3 + difficulty) * Math.exp(random.next() * 1.6 - 0.8));
  const pass = random.next() < Math.min(0.98, Math.max(0.02, skill + (0.5 - difficulty) * 1.2));
  const kind = random.below(9);
  const file = `src/${THINGS[Math.floor(task / 8) % 8]}.ts`;
  const patch = `diff --git a/${file} b/${file}\n--- a/${file}\n+++ b/${file}\n@@ -1,4 +1,5 @@\n export function run(): void {\n-  retry(3);\n+  // Waits longer each time.\n+  retry(3, { backoff: true });\n }\n`;
  const steps: TrajectoryStep[] = [
    { type: 'thought', content: 'The failing test names the file; I read it first.', timestamp: duration * 0.05 },
    {
      type: 'plan',
      entries: [
        { content: 'Read the test', status: 'completed', priority: 'medium' },
        { content: 'Change the code', status: pass ? 'completed' : 'in_progress', priority: 'high' },
      ],
      timestamp: duration * 0.1,
    },
    {
      type: 'tool_call',
      name: 'read_file',
      title: `Read ${file}`,
      toolCallId: 'read',
      status: 'completed',
      input: { path: file },
      output: 'export function run(): void {\n  retry(3);\n}\n'.repeat(1 + random.below(12)),
      timestamp: duration * 0.15,
      duration: duration * 0.08,
    },
    {
      type: 'tool_call',
      name: 'run_command',
      title: 'npm test',
      toolCallId: 'test',
      status: pass ? 'completed' : 'failed',
      input: { command: 'npm test' },
      output: pass ? '12 passed' : `1 failed: expected "${task}" to be done\n  at ${file}:${random.below(90) + 1}`,
      permission: { outcome: 'allowed', by: 'rule', because: 'npm test is allowed', timestamp: duration * 0.4 },
      timestamp: duration * 0.4,
      duration: duration * 0.35,
    },
    {
      type: 'message',
      content: `I changed \`${file}\`; ${pass ? 'all tests pass' : 'one test still fails'}.`,
      timestamp: duration * 0.95,
    },
  ];
  const inputTokens = Math.round(duration * (0.2 + random.next() * 0.2));
  const attempt: TrialEntry = {
    trialNum: trial,
    output: pass ? `I changed ${file}; all tests pass.` : `I changed ${file}; one test still fails.`,
    trajectory: steps,
    duration,
    usage: { inputTokens, outputTokens: Math.round(inputTokens / 8) },
    cost: { amount: inputTokens * 4e-6, currency: 'USD' },
    workspace: {
      kind: 'template',
      path: `/tmp/eval/${task}-${trial}`,
      isKept: !pass,
      changes: { files: [{ path: file, insertions: 2, deletions: 1 }], insertions: 2, deletions: 1, patch },
    },
  };
  const input = `The test of ${file} fails. Find out why, and repair it.`;
  if (pass) return { input, attempt: { ...attempt, pass, score: 1 } };
  if (kind === 0) {
    return {
      input,
      attempt: { ...attempt, failure: 'timeout', errors: [`The case took longer than ${duration} ms.`] },
    };
  }
  if (kind === 1) {
    return {
      input,
      attempt: {
        ...attempt,
        output: '',
        trajectory: steps.slice(0, 2),
        failure: 'died',
        errors: ['The agent exited with code 1.'],
      },
    };
  }
  if (kind === 2 && trial === 1)
    return { input, attempt: { ...attempt, graderError: 'The grader exited with code 2.' } };
  const reasoning = kind < 6 ? `expected "${task}" to be done` : 'a file outside of src was changed';
  return { input, attempt: { ...attempt, pass, score: kind < 6 ? 0 : 0.4, reasoning } };
}
