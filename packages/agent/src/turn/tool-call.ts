import {
  type ContentBlock,
  type Diff,
  shownContent,
  shownTerminal,
  shownText,
  type ToolCallLocation,
} from '@parley/protocol';
import type { ToolCallContent, ToolCallEvent, ToolCallStatus } from '@parley/session';
import type { NewToolCall, ToolCallChanges, ToolCallHandle, ToolDefinition } from '../contract/tool-call.ts';
import { TurnAbortError } from '../errors.ts';
import { withAbsolutePaths } from './paths.ts';

export interface ToolCallOptions {
  readonly id: string;
  readonly cwd: string;
  /** Aborts when the turn is over. */
  readonly signal: AbortSignal;
  readonly emit: (event: ToolCallEvent) => void;
  readonly onFinal: (call: OpenToolCall) => void;
  readonly onLateChange: (call: OpenToolCall) => void;
}

export class OpenToolCall implements ToolCallHandle {
  readonly id: string;
  readonly #options: ToolCallOptions;
  readonly #fields: Fields = {};
  /** Present when a client may cancel the call. */
  readonly #cancellation: AbortController | undefined;
  readonly #parentSignal: AbortSignal | undefined;
  #signal: AbortSignal | undefined;
  #status: ToolCallStatus = 'pending';

  constructor(options: ToolCallOptions, call: NewToolCall & { readonly title: string }) {
    this.id = options.id;
    this.#options = options;
    this.#cancellation = call.cancellable ? new AbortController() : undefined;
    this.#parentSignal = call.signal;
    this.#send('pending', call);
  }

  get status(): ToolCallStatus {
    return this.#status;
  }

  get isFinal(): boolean {
    return FINAL.has(this.#status);
  }

  get signal(): AbortSignal {
    const { signal } = this.#options;
    const others = [this.#cancellation?.signal, this.#parentSignal].filter((each) => each !== undefined);
    this.#signal ??= others.length > 0 ? AbortSignal.any([...others, signal]) : signal;
    return this.#signal;
  }

  /** All that is known of the call, as a permission question shows it. */
  get event(): ToolCallEvent {
    return { type: 'tool_call', toolCallId: this.id, status: this.#status, ...this.#fields };
  }

  start(changes: ToolCallChanges = {}): void {
    this.#send('in_progress', changes);
  }

  update(changes: ToolCallChanges): void {
    this.#send(this.#status, changes);
  }

  complete(changes: ToolCallChanges = {}): void {
    this.#send('completed', changes);
  }

  fail(because: string | Error | ToolCallChanges = {}): void {
    const status = this.#cancellation?.signal.aborted ? 'cancelled' : 'failed';
    if (typeof because === 'string') this.#send(status, { text: because });
    else if (because instanceof Error) this.#send(status, { text: because.message });
    else this.#send(status, because);
  }

  cancel(because: string | ToolCallChanges = {}): void {
    this.#send('cancelled', typeof because === 'string' ? { text: because } : because);
  }

  /** A client asks that the call ends; false when it may not, or when the call has ended. */
  requestCancel(): boolean {
    if (this.isFinal || !this.#cancellation) return false;
    this.#cancellation.abort(new TurnAbortError('tool_call_cancelled', 'The tool call was cancelled by the client.'));
    return true;
  }

  #send(status: ToolCallStatus, changes: ToolCallChanges): void {
    if (this.isFinal) return this.#options.onLateChange(this);
    const isNew = this.#fields.title === undefined;
    const isNewStatus = status !== this.#status || isNew;
    const fields = this.#read(changes);
    const event = {
      type: 'tool_call' as const,
      toolCallId: this.id,
      ...(isNewStatus && { status }),
      ...fields,
      ...(this.#cancellation && (isNew || FINAL.has(status)) && { canCancel: !FINAL.has(status) }),
    };
    // The update comes first, since it may be refused; only then the change counts as made.
    this.#options.emit(changes.meta ? { ...event, meta: changes.meta } : event);
    this.#status = status;
    Object.assign(this.#fields, fields);
    if (this.isFinal) this.#options.onFinal(this);
  }

  #read(changes: ToolCallChanges): Fields {
    const { title, name, kind, locations, rawInput } = changes;
    const content = this.#readContent(changes);
    const rawOutput = changes.rawOutput ?? changes.exit;
    const fields = {
      ...(title !== undefined && { title }),
      ...(name !== undefined && { name }),
      ...(kind !== undefined && { kind }),
      ...(content && { content }),
      ...(locations && { locations: locations.map(toLocation) }),
      ...(rawInput !== undefined && { rawInput }),
      ...(rawOutput !== undefined && { rawOutput }),
    };
    return withAbsolutePaths(fields, this.#options.cwd);
  }

  #readContent({ content, text, diff, terminal }: ToolCallChanges): ToolCallContent[] | undefined {
    if (content === undefined && text === undefined && diff === undefined && terminal === undefined) return undefined;
    const diffs = diff === undefined ? [] : Array.isArray(diff) ? (diff as readonly Diff[]) : [diff as Diff];
    return [
      ...(content ? content.map(toToolCallContent) : (this.#fields.content ?? [])),
      ...(terminal ? [shownTerminal(terminal.id)] : []),
      ...diffs.map((each) => ({ ...each, type: 'diff' as const })),
      ...(text === undefined ? [] : [shownText(text)]),
    ];
  }
}

type Fields = Omit<ToolCallEvent, 'type' | 'toolCallId' | 'status'>;

const FINAL: ReadonlySet<ToolCallStatus> = new Set<ToolCallStatus>(['completed', 'failed', 'cancelled']);

function toLocation(location: string | ToolCallLocation): ToolCallLocation {
  return typeof location === 'string' ? { path: location } : location;
}

function toToolCallContent(content: ContentBlock | ToolCallContent): ToolCallContent {
  const { type } = content;
  if (type === 'content' || type === 'diff' || type === 'changes' || type === 'terminal' || type === 'unknown')
    return content;
  return shownContent(content);
}

/** A tool call with what is known of its tool filled in; it always has a title. */
export function describeToolCall(
  call: NewToolCall,
  tool: ToolDefinition | undefined,
): NewToolCall & { readonly title: string } {
  const { rawInput } = call;
  const known = typeof tool?.title === 'function' ? tool.title(rawInput) : tool?.title;
  const kind = call.kind ?? tool?.kind;
  const locations = call.locations ?? tool?.locations?.(rawInput);
  return {
    ...call,
    title: call.title ?? known ?? call.name ?? kind ?? 'Tool call',
    ...(kind !== undefined && { kind }),
    ...(locations && { locations }),
  };
}
