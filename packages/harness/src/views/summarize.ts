import type { Result } from '../compare/runs/read-results.ts';
import type { CaptureResult, GraderResult, SummaryResult, ToolCallStep, TrajectoryStep } from '../formats/index.ts';

/** One attempt with what is known of its case: what views show. */
export interface ViewedAttempt {
  /** `case`, and `case#2` for the second of several attempts. */
  readonly id: string;
  readonly input: string | readonly string[];
  readonly output: string;
  readonly hint?: string;
  readonly trajectory: readonly TrajectoryStep[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly durationMs: number;
  readonly toolErrors: boolean;
  readonly errors: readonly string[];
  readonly score?: GraderResult;
  /** Where the agent worked, for graders that look at what it left. */
  readonly cwd?: string;
}

/** The attempts of a result: one of `capture`, all of `trials`. */
export function attemptsOf(result: Result): readonly ViewedAttempt[] {
  if (result.kind === 'captures') return [ofCapture(result.value)];
  const { id, input, hint, trials, metadata = {} } = result.value;
  return trials.map(({ trialNum, output, trajectory, duration, pass, score, reasoning, outcome, ...rest }) => ({
    id: `${id}#${trialNum}`,
    input,
    output,
    ...(hint !== undefined && { hint }),
    trajectory,
    metadata: { ...metadata, ...rest.metadata },
    durationMs: duration,
    toolErrors: rest.toolErrors ?? false,
    errors: rest.errors ?? [],
    ...(pass !== undefined && {
      score: {
        pass,
        score: score ?? Number(pass),
        ...(reasoning !== undefined && { reasoning }),
        ...(outcome && { outcome }),
      },
    }),
    ...(rest.workspace?.isKept && { cwd: rest.workspace.path }),
  }));
}

function ofCapture({
  id,
  input,
  output,
  hint,
  trajectory,
  metadata,
  timing,
  toolErrors,
  errors = [],
  score,
  workspace,
}: CaptureResult): ViewedAttempt {
  return {
    id,
    input,
    output,
    ...(hint !== undefined && { hint }),
    trajectory,
    metadata,
    durationMs: timing.total,
    toolErrors,
    errors,
    ...(score && { score }),
    ...(workspace?.isKept && { cwd: workspace.path }),
  };
}

/** A result in few words. */
export function summarize({ id, input, output, trajectory, durationMs }: ViewedAttempt): SummaryResult {
  return {
    id,
    input: joined(input),
    output,
    toolCalls: trajectory.flatMap((step) => (step.type === 'tool_call' ? [step.name] : [])),
    duration: durationMs,
  };
}

/** The same for a person, step by step; steps have names that can be referred to. */
export function formatSummary(attempt: ViewedAttempt): string {
  const { id, input, output, trajectory, metadata, durationMs, toolErrors, errors, score } = attempt;
  const facts = Object.entries(metadata);
  return [
    `## Evaluation Record: ${oneLine(id)}`,
    '',
    `**Input:** ${oneLine(joined(input))}`,
    '',
    '**Trajectory:**',
    ...trajectory.flatMap((step, index) => formatStep(step, index + 1, id)),
    ...(trajectory.length === 0 ? ['(no steps)'] : []),
    '',
    `**Output:** ${cut(oneLine(output), MAX_OUTPUT_CHARACTERS)}`,
    ...(facts.length === 0
      ? []
      : ['', `**Metadata:** ${facts.map(([name, value]) => `${name}=${asText(value)}`).join(', ')}`]),
    '',
    `**Tool errors:** ${toolErrors ? 'yes' : 'no'}`,
    ...(errors.length === 0 ? [] : [`**Errors:** ${errors.map(oneLine).join('; ')}`]),
    `**Duration:** ${Math.round(durationMs)}ms`,
    ...(score === undefined ? [] : [`**Score:** ${describeScore(score)}`]),
    '',
    '---',
    '',
  ].join('\n');
}

export function describeScore({ pass, score, reasoning }: GraderResult): string {
  const why = reasoning === undefined || reasoning === '' ? '' : ` - ${oneLine(reasoning)}`;
  return `${pass ? 'PASS' : 'FAIL'} (${Number(score.toFixed(4))})${why}`;
}

const MAX_OUTPUT_CHARACTERS = 200;
const MAX_MESSAGE_CHARACTERS = 100;
const MAX_PLAN_CHARACTERS = 80;
/** Longer texts of tools are shown by their first and last lines. */
const MAX_PREVIEW_CHARACTERS = 500;
const [HEAD_LINES, TAIL_LINES] = [8, 4];

export function formatStep(step: TrajectoryStep, number: number, id: string): readonly string[] {
  const name = `[→${oneLine(step.stepId ?? `${id}-step-${number}`)}]`;
  switch (step.type) {
    case 'thought':
      return [`${number}. [THOUGHT] ${cut(oneLine(step.content), MAX_MESSAGE_CHARACTERS)} ${name}`];
    case 'message':
      return [`${number}. [MESSAGE] ${cut(oneLine(step.content), MAX_MESSAGE_CHARACTERS)} ${name}`];
    case 'plan':
      return [`${number}. [PLAN] ${cut(step.entries.map(asText).join('; '), MAX_PLAN_CHARACTERS)} ${name}`];
    case 'tool_call':
      return formatToolCall(step, number, name);
    default:
      return [`${number}. ${name}`];
  }
}

function formatToolCall(
  { name: tool, status, duration, input, output, locations }: ToolCallStep,
  number: number,
  name: string,
): readonly string[] {
  const took = duration === undefined ? '' : ` (${Math.round(duration)}ms)`;
  const file = locations?.[0] ?? fieldOf(input, ['file_path', 'path', 'filePath', 'file']);
  const code =
    fieldOf(input, ['content', 'new_string', 'newText', 'code', 'command']) ??
    (typeof output === 'string' ? output : undefined);
  return [
    `${number}. [TOOL:${oneLine(tool)}] -> ${status}${took} ${name}`,
    ...(file === undefined ? [] : [`   File: ${oneLine(file)}`]),
    ...(code === undefined || code.trim() === '' ? [] : preview(code)),
  ];
}

function preview(code: string): readonly string[] {
  const lines = code.replace(/\n+$/, '').split('\n');
  const isLong = code.length > MAX_PREVIEW_CHARACTERS && lines.length > HEAD_LINES + TAIL_LINES;
  const omitted = lines.length - HEAD_LINES - TAIL_LINES;
  const shown = isLong
    ? [...lines.slice(0, HEAD_LINES), `// ... ${omitted} lines omitted ...`, ...lines.slice(-TAIL_LINES)]
    : lines;
  const fence = '`'.repeat(Math.max(3, longestTicks(code) + 1));
  return [fence, ...shown.map((line) => cut(line, MAX_PREVIEW_CHARACTERS)), fence].map((line) => `   ${line}`);
}

/** A fence must be longer than any in what it holds. */
function longestTicks(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, ticks) => Math.max(longest, ticks.length), 0);
}

function fieldOf(value: unknown, names: readonly string[]): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  return names.map((name) => fields[name]).find((found): found is string => typeof found === 'string');
}

function asText(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'content' in value && typeof value.content === 'string')
    return oneLine(value.content);
  return oneLine(typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value)));
}

export function joined(input: string | readonly string[]): string {
  return typeof input === 'string' ? input : input.join('\n');
}

export function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}

export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}...` : text;
}
