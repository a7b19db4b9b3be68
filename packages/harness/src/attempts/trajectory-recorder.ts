import {
  type Entry,
  getTerminal,
  summarizeTurn,
  type ToolCallEntry,
  type Transcript,
  type TranscriptEvent,
} from '@parley/client';
import type { Usage } from '../formats/attempt.ts';
import type { TrajectoryRichness } from '../formats/capture-result.ts';
import type { PermissionRecord } from '../formats/permission.ts';
import type { PlanStep, ToolCallStep, TrajectoryStep } from '../formats/trajectory.ts';

/**
 * What an agent did, as steps. Messages, thoughts and tool calls come from the transcript, which knows them by id and has stamped them when they arrived;
 * a transcript keeps only the last plan, so plans are noted here.
 */
export class TrajectoryRecorder {
  /** Milliseconds until the agent's first sign of work. */
  firstResponse: number | undefined;
  /** Tokens that agents tell with their updates, summed. Agents that tell them with the answer do not need it. */
  usage: Usage | undefined;
  readonly #start: number;
  readonly #plans: { readonly step: PlanStep; readonly beforeEntry: number }[] = [];
  #turn = 0;

  readonly #transcript: () => Transcript | undefined;

  readonly #now: () => number;

  /** `now`: in milliseconds, of the same clock as `start`. */
  constructor(start: number, transcript: () => Transcript | undefined, now: () => number = Date.now) {
    this.#start = start;
    this.#transcript = transcript;
    this.#now = now;
  }

  readonly follow = (event: TranscriptEvent): void => {
    if (event.type === 'turn_started') {
      this.#turn += 1;
      return;
    }
    if (!WORK.has(event.type)) return;
    const timestamp = this.#now() - this.#start;
    if (this.#turn > 0) this.firstResponse ??= timestamp;
    if ('extra' in event && event.extra) this.#addUsage(event.extra);
    if (event.type !== 'plan' || event.isRemoved) return;
    const { entries, document, planId } = event;
    this.#plans.push({
      step: {
        type: 'plan',
        entries: document ? [document] : entries,
        ...(planId !== undefined && { planId }),
        timestamp,
        ...(this.#turn > 0 && { turn: this.#turn }),
      },
      beforeEntry: this.#transcript()?.entries.length ?? 0,
    });
  };

  /** The steps so far, in the order in which they began. */
  stepsOf(transcript: Transcript, permissions: readonly PermissionRecord[]): readonly TrajectoryStep[] {
    const byCall = new Map(permissions.map((record) => [record.toolCallId, record]));
    const steps: TrajectoryStep[] = [];
    let told = 0;
    let position = 0;
    for (const entry of transcript.entries) {
      for (let plan = this.#plans[told]; plan && plan.beforeEntry <= position; plan = this.#plans[told]) {
        steps.push(plan.step);
        told += 1;
      }
      const step = this.#toStep(entry, transcript, byCall);
      if (step) steps.push(step);
      position += 1;
    }
    return [...steps, ...this.#plans.slice(told).map(({ step }) => step)];
  }

  /** What the agent said in a turn. */
  outputOf(transcript: Transcript, turn: number): string {
    return turn < 0 ? '' : summarizeTurn(transcript, turn).text;
  }

  #toStep(
    entry: Entry,
    transcript: Transcript,
    permissions: ReadonlyMap<string | undefined, PermissionRecord>,
  ): TrajectoryStep | undefined {
    const facts = {
      timestamp: Math.max(0, (entry.at ?? this.#start) - this.#start),
      ...(entry.turn !== undefined && { turn: entry.turn + 1 }),
    };
    if (entry.type === 'thought') return { type: 'thought', content: entry.text, ...facts };
    if (entry.type === 'message' && entry.speaker === 'agent')
      return { type: 'message', content: entry.text, ...facts };
    if (entry.type !== 'tool_call') return undefined;
    return { ...toToolCall(entry, transcript, permissions.get(entry.toolCallId)), ...facts };
  }

  #addUsage(extra: unknown): void {
    const { usage } = extra as { readonly usage?: unknown };
    if (typeof usage !== 'object' || usage === null) return;
    const { inputTokens, outputTokens } = usage as Partial<Usage>;
    if (!Number.isInteger(inputTokens) && !Number.isInteger(outputTokens)) return;
    this.usage = {
      inputTokens: (this.usage?.inputTokens ?? 0) + (inputTokens ?? 0),
      outputTokens: (this.usage?.outputTokens ?? 0) + (outputTokens ?? 0),
    };
  }
}

/** Events that tell of the agent's work, and not of the session's settings. */
const WORK: ReadonlySet<TranscriptEvent['type']> = new Set([
  'message_chunk',
  'whole_message',
  'thought_chunk',
  'whole_thought',
  'tool_call',
  'tool_call_chunk',
  'plan',
] as const);

/** How much of its work an agent tells: `full` with thoughts, tools or plans. */
export function richnessOf(steps: readonly TrajectoryStep[]): TrajectoryRichness {
  if (steps.some(({ type }) => type !== 'message')) return 'full';
  return steps.length > 0 ? 'messages-only' : 'minimal';
}

function toToolCall(
  entry: ToolCallEntry,
  transcript: Transcript,
  permission: PermissionRecord | undefined,
): Omit<ToolCallStep, 'timestamp'> {
  const { toolCallId, title, name, kind, status, rawInput, locations, at, endedAt, parentToolCallId } = entry;
  const output = outputOf(entry, transcript);
  return {
    type: 'tool_call',
    name: name ?? title,
    status,
    ...(rawInput !== undefined && { input: rawInput }),
    ...(output !== undefined && { output }),
    ...(at !== undefined && endedAt !== undefined && { duration: Math.max(0, endedAt - at) }),
    toolCallId,
    title,
    kind,
    ...(locations.length > 0 && { locations: locations.map(({ path }) => path) }),
    ...(parentToolCallId !== undefined && { parentToolCallId }),
    ...(permission && { permission }),
  };
}

/** What a tool gave back: as the agent has it, else what it shows of it; text as text. */
function outputOf({ rawOutput, content }: ToolCallEntry, transcript: Transcript): unknown {
  if (rawOutput !== undefined) return rawOutput;
  if (content.length === 0) return undefined;
  const shown = content.map((part) => {
    if (part.type === 'content' && part.content.type === 'text') return part.content.text;
    if (part.type === 'terminal') return getTerminal(transcript, part.terminalId)?.output ?? '';
    return part;
  });
  return shown.every((part) => typeof part === 'string') ? shown.join('\n') : shown;
}
