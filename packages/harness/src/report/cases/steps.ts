import { isRecord } from '@parley/host/json-files';
import { duration } from '../../compare/wording.ts';
import type { ToolCallStep, TrajectoryStep } from '../../formats/index.ts';
import { type Markup, markup, px } from '../page/markup.ts';
import { asText, MAX_TOOL_CHARACTERS, textBlock } from './cut.ts';

/** What an agent did, step by step. */
export function formatSteps(steps: readonly TrajectoryStep[]): Markup {
  if (steps.length === 0) return markup`<p class="none">The trajectory is empty.</p>`;
  return markup`<ol class="steps">${steps.map(
    (step) =>
      markup`<li class="step ${step.type}"><span class="when">${duration(step.timestamp)}</span>${formatStep(step)}</li>\n`,
  )}</ol>`;
}

function formatStep(step: TrajectoryStep): Markup {
  switch (step.type) {
    case 'thought':
      return markup`<span class="what">thought</span>${textBlock(step.content, 'text')}`;
    case 'message':
      return markup`<span class="what">message</span>${textBlock(step.content, 'text')}`;
    case 'plan':
      return markup`<span class="what">plan</span><ul class="plan">${step.entries.map(formatPlanEntry)}</ul>`;
    case 'tool_call':
      return formatToolCall(step);
    default:
      return markup`<span class="what">step</span>${textBlock(asText(step), 'code', MAX_TOOL_CHARACTERS)}`;
  }
}

const PLAN_MARKS: Readonly<Record<string, string>> = { completed: '✓', in_progress: '▸', pending: '·' };

function formatPlanEntry(entry: unknown): Markup {
  if (!isRecord(entry)) return markup`<li>${asText(entry)}</li>`;
  const { content, status } = entry;
  return markup`<li>${PLAN_MARKS[String(status)] ?? '·'} ${asText(content ?? entry)}</li>`;
}

function formatToolCall({ name, title, status, input, output, duration: took, permission }: ToolCallStep): Markup {
  const isFailed = status === 'failed';
  return markup`<span class="what">tool</span><div class="tool"><div class="head"><b>${name}</b> ${title !== undefined && title !== name && markup`<span>${title}</span> `}<span class="${isFailed ? 'bad' : 'dim'}">${isFailed ? '✗ ' : ''}${status}</span>${took !== undefined && markup` <span class="dim">${duration(took)}</span>`}${
    permission !== undefined &&
    markup` <span class="${permission.outcome === 'allowed' ? 'dim' : 'warn'}">permission ${permission.outcome} by ${permission.by}${permission.because !== undefined && `: ${permission.because}`}</span>`
  }</div>${formatValue('input', input)}${formatValue('output', output)}</div>`;
}

function formatValue(name: string, value: unknown): Markup | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const text = asText(value);
  const block = textBlock(text, 'code', MAX_TOOL_CHARACTERS);
  // Short ones are read at a glance; a long one would push the next step off the screen.
  if (text.length <= 240 && text.split('\n').length <= 6) return block;
  return markup`<details><summary>${name}, ${text.length.toLocaleString('en')} characters</summary>${block}</details>`;
}

const STRIP_WIDTH = 600;

/** When things happened: tool calls as bars as long as they took, all else as lines. */
export function timeStrip(steps: readonly TrajectoryStep[], totalMs: number): Markup | undefined {
  const end = steps.reduce(
    (latest, step) => Math.max(latest, step.timestamp + (step.type === 'tool_call' ? (step.duration ?? 0) : 0)),
    totalMs,
  );
  const calls = steps.filter((step) => step.type === 'tool_call').length;
  if (steps.length < 2 || end <= 0) return undefined;
  const at = (ms: number): number => px((ms / end) * STRIP_WIDTH);
  return markup`<svg class="strip" viewBox="0 0 ${STRIP_WIDTH} 18" preserveAspectRatio="none" role="img" aria-label="${steps.length} steps in ${duration(end)}, ${calls} of them tool calls">${steps
    .slice(0, 500)
    .map((step) =>
      step.type === 'tool_call'
        ? markup`<rect class="${step.status === 'failed' ? 'failed' : 'call'}" x="${at(step.timestamp)}" y="3" width="${Math.max(2, at(step.duration ?? 0))}" height="12"/>`
        : markup`<rect class="${step.type}" x="${at(step.timestamp)}" y="0" width="1.5" height="18"/>`,
    )}</svg>`;
}
