import type { ToolCallHandle } from '@parley/agent';
import type { ModelEvent } from '@parley/models/model';
import { resolvePath, shownPath } from '../tools/paths.ts';
import type { Tool } from '../tools/tool.ts';
import { readPartialFields } from './partial-fields.ts';
import type { ToolTurn } from './tool-turn.ts';

/** Arguments are looked into up to here: what a call is about stands at their beginning. */
const MAX_LOOK_CHARACTERS = 8000;
/** Longer values are shown when they are whole, and checked. */
const MAX_VALUE_CHARACTERS = 500;

export interface AnnouncedCallsOptions {
  readonly turn: ToolTurn;
  /** The tools that exist right now. */
  readonly tools: () => readonly Tool[];
}

interface Announced {
  readonly tool: Tool;
  /** Undefined for a moment: one that is whole at once need not be announced. */
  shown: ToolCallHandle | undefined;
  json: string;
  /** How many of its arguments the person has been told of. */
  fieldCount: number;
}

/**
 * The calls of the answer that is being written: each is shown as soon as its name is there, and what it is about while its
 * arguments come. In the log they have no name until they are whole: what comes of an answer that breaks off is no call.
 */
export class AnnouncedCalls {
  readonly #options: AnnouncedCallsOptions;
  readonly #calls = new Map<string, Announced>();
  /** Of an answer that broke off; the one that takes its place will most likely make the same calls. */
  #spare: Announced[] = [];
  #timer: NodeJS.Immediate | undefined;

  constructor(options: AnnouncedCallsOptions) {
    this.#options = options;
  }

  follow(event: ModelEvent): void {
    if (event.type === 'tool_call_start') this.#begin(event.id, event.name);
    else if (event.type === 'tool_call_delta') this.#refine(event.id, event.delta);
    else if (event.type === 'retry') this.#breakOff();
  }

  /** The call as it is shown already, for who runs it. */
  take(callId: string): ToolCallHandle | undefined {
    const call = this.#calls.get(callId);
    this.#calls.delete(callId);
    return call?.shown;
  }

  /** Ends those that nobody has taken. */
  close(): void {
    clearImmediate(this.#timer);
    for (const { shown } of [...this.#calls.values(), ...this.#spare]) {
      if (shown && !shown.isFinal) shown.cancel('Not run: the answer broke off.');
    }
    this.#calls.clear();
    this.#spare = [];
  }

  #begin(callId: string, name: string): void {
    const tool = this.#options.tools().find((each) => each.name === name);
    if (!tool || tool.isQuiet || this.#calls.has(callId)) return;
    const spare = this.#spare.find((each) => each.tool === tool);
    this.#spare = this.#spare.filter((each) => each !== spare);
    this.#calls.set(callId, { tool, shown: spare?.shown, json: '', fieldCount: 0 });
    clearImmediate(this.#timer);
    this.#timer = setImmediate(() => this.#announce());
  }

  #announce(): void {
    for (const call of this.#calls.values()) {
      const { tool } = call;
      call.shown ??= this.#options.turn.toolCall({
        title: titleOfName(tool.name),
        kind: tool.kind,
        ...(tool.isCancellable && { cancellable: true }),
      });
      this.#tell(call);
    }
  }

  /** Only a quotation mark can end an argument that matters. */
  #refine(callId: string, delta: string): void {
    const call = this.#calls.get(callId);
    if (!call || call.json.length > MAX_LOOK_CHARACTERS) return;
    call.json += delta;
    if (delta.includes('"')) this.#tell(call);
  }

  /** Tells of the arguments that have become whole. */
  #tell(call: Announced): void {
    if (!call.shown || call.json === '') return;
    const { fields, isWhole } = readPartialFields(call.json.slice(0, MAX_LOOK_CHARACTERS));
    const told = Object.entries(fields).filter(([, value]) => String(value).length <= MAX_VALUE_CHARACTERS);
    // What is whole is told with all that is known of the call in the next moment.
    if (isWhole || told.length <= call.fieldCount) return;
    call.fieldCount = told.length;
    call.shown.update({ ...this.#describe(call.tool, fields), rawInput: Object.fromEntries(told) });
  }

  #breakOff(): void {
    this.#spare.push(...this.#calls.values());
    this.#calls.clear();
  }

  /** As the tool says it where it can be told by now; else by the file that it is about. */
  #describe(tool: Tool, fields: Readonly<Record<string, unknown>>): { title?: string; locations?: readonly string[] } {
    const { cwd } = this.#options.turn.session;
    try {
      return { title: tool.describe(tool.parse(fields), { cwd }).title };
    } catch {
      if (typeof fields.path !== 'string' || fields.path === '') return {};
      const path = resolvePath(fields.path, cwd);
      const [verb = ''] = titleOfName(tool.name).split(' ');
      return { title: `${verb} ${shownPath(path, cwd)}`, locations: [path] };
    }
  }
}

/** `write_file` as "Write file", `mcp__github__list_issues` as "github: list issues". */
function titleOfName(name: string): string {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  if (server !== undefined) return `${server}: ${(tool ?? '').replaceAll('_', ' ')}`;
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
