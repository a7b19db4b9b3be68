import { type SessionUpdate, shownText } from '@parley/protocol';
import type { TerminalEvent, TerminalOutputChunk, ToolCallContent, ToolCallEvent } from '@parley/session';

/** What is kept of a terminal's output for a client that gets it as text: its end. */
const MAX_TEXT_CHARACTERS = 256 * 1024;

interface Known {
  command?: string | null | undefined;
  cwd?: string | null | undefined;
  /** What it has written, as far as it was not passed on. */
  text: string;
  exit: { readonly exitCode: number | null; readonly signal: string | null } | undefined;
  /** The tool call that shows it. */
  toolCallId: string | undefined;
}

/** A tool call that shows terminals of the agent: its content, and how much of their output the client has been told. */
interface ShowingCall {
  readonly content: readonly ToolCallContent[];
  toldCharacters: number;
  readonly isFinal: boolean;
}

type Update = Extract<SessionUpdate, { readonly sessionUpdate: 'tool_call_update' }>;

/**
 * Terminals that the agent owns, for a client of version 1, which has no word for them. A client that reads `terminal_info`,
 * `terminal_output` and `terminal_exit` in the `_meta` of tool calls gets these; any other gets the output as a text in the tool call
 * that shows the terminal, when the command or the call has ended.
 */
export class ShownTerminals {
  readonly #readsMeta: boolean;
  readonly #terminals = new Map<string, Known>();
  readonly #calls = new Map<string, ShowingCall>();

  constructor(readsMeta: boolean) {
    this.#readsMeta = readsMeta;
  }

  /** Nothing has to be done about tool calls while there are none. */
  get isEmpty(): boolean {
    return this.#terminals.size === 0;
  }

  see(event: TerminalEvent | TerminalOutputChunk): Update[] {
    const { terminalId } = event;
    const known = this.#terminals.get(terminalId) ?? { text: '', exit: undefined, toolCallId: undefined };
    this.#terminals.set(terminalId, known);
    if (event.type === 'terminal_output') known.text += event.text;
    else this.#change(known, event);
    if (known.text.length > 2 * MAX_TEXT_CHARACTERS) known.text = known.text.slice(-MAX_TEXT_CHARACTERS);
    const { toolCallId } = known;
    if (toolCallId === undefined) return [];
    if (this.#readsMeta) return this.#tellMeta(terminalId, known, toolCallId);
    return known.exit ? this.#tellText(toolCallId) : [];
  }

  /** The tool call as the client is to see it, and what follows it. */
  inCall(event: ToolCallEvent): { readonly event: ToolCallEvent; readonly after: Update[] } {
    const { toolCallId } = event;
    const shown = terminalsIn(event.content).filter((id) => this.#terminals.has(id));
    const before = this.#calls.get(toolCallId);
    if (shown.length === 0 && (!before || event.content)) {
      this.#calls.delete(toolCallId);
      return { event, after: [] };
    }
    if (this.#readsMeta) return this.#withInfo(event, shown);
    for (const id of shown) this.#of(id).toolCallId = toolCallId;
    if (!event.content && !isFinal(event)) return { event, after: [] };
    const content = event.content ?? before?.content ?? [];
    this.#calls.set(toolCallId, { content, toldCharacters: this.#charactersIn(content), isFinal: isFinal(event) });
    const told = { ...event, content: this.asText(content) };
    this.#forgetEnded(toolCallId);
    return { event: told, after: [] };
  }

  /** Content with the output of terminals in the place of these. */
  asText(content: readonly ToolCallContent[]): ToolCallContent[] {
    if (this.#readsMeta) return [...content];
    return content.flatMap((each) => {
      const known = each.type === 'terminal' ? this.#terminals.get(each.terminalId) : undefined;
      if (!known) return [each];
      return known.text === '' ? [] : [shownText(known.text.slice(-MAX_TEXT_CHARACTERS))];
    });
  }

  #change(known: Known, { command, cwd, output, exitCode, signal }: TerminalEvent): void {
    if (command !== undefined) known.command = command;
    if (cwd !== undefined) known.cwd = cwd;
    if (output !== undefined) known.text = output;
    if (exitCode !== undefined || signal !== undefined)
      known.exit = { exitCode: exitCode ?? null, signal: signal ?? null };
  }

  #withInfo(event: ToolCallEvent, shown: readonly string[]): { event: ToolCallEvent; after: Update[] } {
    const { toolCallId } = event;
    const added = shown.filter((id) => this.#of(id).toolCallId === undefined);
    const [first] = added;
    if (first === undefined) return { event, after: [] };
    const infoOf = (id: string): object => {
      const { command, cwd } = this.#of(id);
      return { terminal_info: { terminal_id: id, ...(cwd != null && { cwd }), ...(command != null && { command }) } };
    };
    const meta = { ...event.meta, ...infoOf(first) };
    const others = added.slice(1).map((id) => toUpdate(toolCallId, infoOf(id)));
    const after = added.flatMap((id) => {
      const known = this.#of(id);
      known.toolCallId = toolCallId;
      return this.#tellMeta(id, known, toolCallId);
    });
    return { event: { ...event, meta }, after: [...others, ...after] };
  }

  #tellMeta(terminalId: string, known: Known, toolCallId: string): Update[] {
    const { text, exit } = known;
    known.text = '';
    const output = text === '' ? [] : [{ terminal_output: { terminal_id: terminalId, data: text } }];
    const ended = exit
      ? [{ terminal_exit: { terminal_id: terminalId, exit_code: exit.exitCode, signal: exit.signal } }]
      : [];
    if (exit) this.#terminals.delete(terminalId);
    return [...output, ...ended].map((meta) => toUpdate(toolCallId, meta));
  }

  #tellText(toolCallId: string): Update[] {
    const call = this.#calls.get(toolCallId);
    if (!call) return [];
    const characters = this.#charactersIn(call.content);
    const content = this.asText(call.content) as Update['content'];
    const isTold = characters === call.toldCharacters;
    call.toldCharacters = characters;
    this.#forgetEnded(toolCallId);
    return isTold || !content ? [] : [{ sessionUpdate: 'tool_call_update', toolCallId, content }];
  }

  /** Nothing more will be told of terminals that have ended in a call that has. */
  #forgetEnded(toolCallId: string): void {
    const call = this.#calls.get(toolCallId);
    if (!call?.isFinal) return;
    const shown = terminalsIn(call.content);
    if (shown.some((id) => this.#terminals.get(id)?.exit === undefined)) return;
    for (const id of shown) this.#terminals.delete(id);
    this.#calls.delete(toolCallId);
  }

  #charactersIn(content: readonly ToolCallContent[]): number {
    return terminalsIn(content).reduce((sum, id) => sum + (this.#terminals.get(id)?.text.length ?? 0), 0);
  }

  #of(terminalId: string): Known {
    return this.#terminals.get(terminalId) ?? { text: '', exit: undefined, toolCallId: undefined };
  }
}

function toUpdate(toolCallId: string, meta: object): Update {
  return { sessionUpdate: 'tool_call_update', toolCallId, _meta: { ...meta } };
}

function terminalsIn(content: readonly ToolCallContent[] | undefined): string[] {
  return (content ?? []).flatMap((each) => (each.type === 'terminal' ? [each.terminalId] : []));
}

function isFinal({ status }: ToolCallEvent): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}
