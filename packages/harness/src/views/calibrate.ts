import { readResults } from '../compare/runs/read-results.ts';
import type { CalibrationSample, LineSource, ReadLinesOptions, TrajectoryStep } from '../formats/index.ts';
import type { Grader } from '../graders/index.ts';
import { createRandom, DEFAULT_SEED } from '../statistics/random.ts';
import { attemptsOf, cut, describeScore, formatStep, joined, oneLine, type ViewedAttempt } from './summarize.ts';

export interface CalibrateOptions extends ReadLinesOptions {
  /** How many failures are drawn. Default: 10. */
  readonly sample?: number;
  readonly seed?: number;
  /** Judges the drawn failures again. */
  readonly grader?: Grader;
  readonly signal?: AbortSignal;
}

export const DEFAULT_SAMPLE = 10;

export interface Calibration {
  readonly samples: readonly (CalibrationSample & { readonly graderError?: string })[];
  /** Attempts that were read, and those of them that failed. */
  readonly attempts: number;
  readonly failures: number;
}

/**
 * Draws failures for a person to look at: was the grader right? Each failure is as likely as any other, and only the drawn ones
 * are in memory (Vitter 1985, algorithm R).
 */
export async function calibrate(source: LineSource, options: CalibrateOptions = {}): Promise<Calibration> {
  const { sample = DEFAULT_SAMPLE, seed = DEFAULT_SEED, grader, signal } = options;
  const random = createRandom(seed);
  const drawn: { order: number; attempt: ViewedAttempt }[] = [];
  let [attempts, failures] = [0, 0];
  for await (const result of readResults(source, options)) {
    for (const attempt of attemptsOf(result)) {
      attempts++;
      if (attempt.score === undefined || attempt.score.pass) continue;
      const place = failures < sample ? failures : random.below(failures + 1);
      if (place < sample) drawn[place] = { order: failures, attempt };
      failures++;
    }
  }
  const samples: Calibration['samples'][number][] = [];
  for (const { attempt } of drawn.toSorted((a, b) => a.order - b.order)) {
    const { id, input, output, hint, score, trajectory } = attempt;
    samples.push({
      id,
      input,
      output,
      ...(hint !== undefined && { hint }),
      originalScore: score ?? { pass: false, score: 0 },
      ...(grader && (await rescore(grader, attempt, signal))),
      trajectorySnippet: snippetOf(trajectory),
    });
  }
  return { samples, attempts, failures };
}

async function rescore(
  grader: Grader,
  { input, output, hint, trajectory, metadata, cwd }: ViewedAttempt,
  signal: AbortSignal | undefined,
): Promise<Pick<Calibration['samples'][number], 'rescoredResult' | 'graderError'>> {
  try {
    const params = {
      input,
      output,
      ...(hint !== undefined && { hint }),
      trajectory,
      metadata,
      ...(cwd !== undefined && { cwd }),
    };
    return { rescoredResult: await grader.grade(params, signal ? { signal } : {}) };
  } catch (error) {
    signal?.throwIfAborted();
    return { graderError: error instanceof Error ? error.message : String(error) };
  }
}

/** The first two steps, one of the middle, and the last two. */
function snippetOf(steps: readonly TrajectoryStep[]): readonly TrajectoryStep[] {
  if (steps.length <= 5) return steps;
  const middle = steps[Math.floor(steps.length / 2)];
  return [...steps.slice(0, 2), ...(middle ? [middle] : []), ...steps.slice(-2)];
}

/** The samples as Markdown, with boxes to tick. */
export function formatCalibration({ samples, attempts, failures }: Calibration): string {
  return [
    '# Grader Calibration Report',
    '',
    `${samples.length} of ${failures} failures in ${attempts} attempts. Tick one box for each.`,
    '',
    ...samples.flatMap((sample, index) => formatSample(sample, index + 1)),
  ].join('\n');
}

const MAX_OUTPUT_CHARACTERS = 1000;

function formatSample(sample: Calibration['samples'][number], number: number): readonly string[] {
  const { id, input, output, hint, originalScore, rescoredResult, graderError, trajectorySnippet } = sample;
  const isChanged = rescoredResult !== undefined && rescoredResult.pass !== originalScore.pass;
  return [
    `## Sample ${number}: ${oneLine(id)}`,
    '',
    `**Input:** ${oneLine(joined(input))}`,
    ...(hint === undefined ? [] : [`**Hint:** ${oneLine(hint)}`]),
    `**Output:** ${cut(oneLine(output), MAX_OUTPUT_CHARACTERS)}`,
    '',
    `**Original score:** ${describeScore(originalScore)}`,
    ...(rescoredResult === undefined
      ? []
      : [`**Scored again:** ${describeScore(rescoredResult)}${isChanged ? ' (the two disagree)' : ''}`]),
    ...(graderError === undefined ? [] : [`**Scored again:** the grader failed: ${oneLine(graderError)}`]),
    '',
    '**Trajectory:**',
    ...trajectorySnippet.flatMap((step, index) => formatStep(step, index + 1, id)),
    '',
    '- [ ] Valid failure',
    '- [ ] Grader bug',
    '- [ ] Ambiguous',
    '',
    '---',
    '',
  ];
}
