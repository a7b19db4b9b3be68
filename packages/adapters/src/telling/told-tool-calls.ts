import { isAbsolute, resolve } from 'node:path';
import {
  knownToolKind,
  type SessionEvent,
  type ToolCallContent,
  type ToolCallEvent,
  type ToolCallStatus,
} from '@parley/session';
import { textOf } from '../reading/read-values.ts';
import type { FileDiff, ToolCallSignal } from '../reading/signal.ts';
import type { FindToolFacts } from './tool-facts.ts';

export interface ToldToolCallsOptions {
  readonly cwd: string;
  readonly newId: () => string;
  readonly tell: (event: SessionEvent) => void;
  readonly factsOf: FindToolFacts;
}

interface ToldCall {
  /** Ours: the ids of command lines begin anew with each turn. */
  readonly toolCallId: string;
  readonly ownId: string | undefined;
  /** By which a call without an id is found again. */
  name: string | undefined;
  status: ToolCallStatus;
  content: readonly ToolCallContent[];
  /** All that was told of it. */
  event: ToolCallEvent;
  /** Shown as a plan, and not as a call. */
  isPlan: boolean;
}

/** The tool calls of a turn, from their start to their end, whatever the command line tells of it. */
export class ToldToolCalls {
  readonly #options: ToldToolCallsOptions;
  readonly #calls: ToldCall[] = [];
  readonly #byId = new Map<string, ToldCall>();

  constructor(options: ToldToolCallsOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /** Tells what is new about a call, and returns all that was told of it. */
  take(signal: ToolCallSignal): ToolCallEvent {
    const known = this.#find(signal);
    const name = signal.name ?? signal.title ?? known?.name;
    const call = known ?? this.#add(signal.id, name);
    if (FINAL.has(call.status)) return call.event;
    call.name = name;
    const facts = name === undefined ? {} : this.#options.factsOf(name, signal.input);
    if (facts.plan) {
      call.isPlan = true;
      this.#options.tell({ type: 'plan', entries: facts.plan });
    }
    const before = call.status;
    call.status = statusAfter(signal, known?.status);
    if (call.isPlan) return call.event;
    const diff = signal.diff ?? facts.diff;
    const locations = signal.locations ?? facts.locations;
    const isNew = known === undefined;
    const title = facts.title ?? (isNew ? (signal.title ?? name ?? 'Tool call') : undefined);
    // A word that is no kind of the protocol says less than the name of the tool.
    const ownKind = signal.kind !== undefined && knownToolKind(signal.kind) === signal.kind ? signal.kind : undefined;
    const kind = ownKind ?? (isNew || signal.input !== undefined ? facts.kind : undefined);
    const content = this.#contentOf(call, signal, diff);
    const output = signal.output;
    const event: ToolCallEvent = {
      type: 'tool_call',
      toolCallId: call.toolCallId,
      ...((isNew || call.status !== before) && { status: call.status }),
      ...(title !== undefined && { title }),
      ...(isNew && name !== undefined && { name }),
      ...((kind !== undefined || isNew) && { kind: knownToolKind(kind ?? 'other') }),
      ...(content && { content }),
      ...(locations && { locations: locations.map((path) => ({ path: this.#absolute(path) })) }),
      ...(signal.input !== undefined && { rawInput: signal.input }),
      ...(output !== undefined && isShort(output) && { rawOutput: output }),
    };
    this.#options.tell(event);
    call.event = { ...call.event, ...event };
    return call.event;
  }

  /** Ends what is still open: a command line that tells no ends has come to the end of all. */
  end(status: 'completed' | 'failed' | 'cancelled'): void {
    for (const call of this.#calls) {
      if (FINAL.has(call.status)) continue;
      call.status = status;
      if (!call.isPlan) this.#options.tell({ type: 'tool_call', toolCallId: call.toolCallId, status });
    }
  }

  #find({ type, id, name, title, status }: ToolCallSignal): ToldCall | undefined {
    if (id !== undefined) return this.#byId.get(id);
    const open = this.#calls.filter((call) => !FINAL.has(call.status) && call.ownId === undefined);
    const word = name ?? title;
    const same = word === undefined ? open : open.filter((call) => call.name === word);
    // Without ids, the first that began is taken to be the first that ends.
    if (type === 'tool_result') return same[0] ?? (open.length === 1 ? open[0] : undefined);
    if (status !== undefined && FINAL.has(status)) return same[0];
    return status === 'in_progress' ? same.find((call) => call.status === 'pending') : undefined;
  }

  #add(ownId: string | undefined, name: string | undefined): ToldCall {
    const toolCallId = this.#options.newId();
    const event: ToolCallEvent = { type: 'tool_call', toolCallId };
    const call: ToldCall = { toolCallId, ownId, name, status: 'pending', content: [], event, isPlan: false };
    this.#calls.push(call);
    if (ownId !== undefined) this.#byId.set(ownId, call);
    return call;
  }

  #contentOf(
    call: ToldCall,
    signal: ToolCallSignal,
    diff: FileDiff | undefined,
  ): readonly ToolCallContent[] | undefined {
    const text = signal.content ?? (signal.output === undefined ? undefined : textOf(signal.output));
    if (diff === undefined && (text === undefined || text === '')) return undefined;
    const shownDiff: readonly ToolCallContent[] = diff
      ? [{ ...diff, type: 'diff', path: this.#absolute(diff.path) }]
      : call.content.filter(({ type }) => type === 'diff');
    const shownText: readonly ToolCallContent[] =
      text === undefined || text === ''
        ? call.content.filter(({ type }) => type === 'content')
        : [{ type: 'content', content: { type: 'text', text: shorten(text) } }];
    call.content = [...shownDiff, ...shownText];
    return call.content;
  }

  #absolute(path: string): string {
    return isAbsolute(path) ? path : resolve(this.#options.cwd, path);
  }
}

const FINAL: ReadonlySet<ToolCallStatus> = new Set<ToolCallStatus>(['completed', 'failed', 'cancelled']);

function statusAfter({ type, status }: ToolCallSignal, before: ToolCallStatus | undefined): ToolCallStatus {
  if (type === 'tool_result') return status !== undefined && FINAL.has(status) ? status : 'completed';
  return status ?? (before === undefined || before === 'pending' ? 'in_progress' : before);
}

/** Characters of an output that are shown. */
const MAX_SHOWN = 256 * 1024;

function shorten(text: string): string {
  if (text.length <= MAX_SHOWN) return text;
  return `${text.slice(0, MAX_SHOWN)}\n(${text.length - MAX_SHOWN} more characters)`;
}

function isShort(output: unknown): boolean {
  return (textOf(output)?.length ?? 0) <= MAX_SHOWN;
}
