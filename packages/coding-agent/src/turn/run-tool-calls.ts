import type { NewToolCall, ToolCallHandle } from '@parley/agent';
import type { ContentPart, ToolCallPart, ToolResult } from '@parley/models/model';
import type { ContentBlock, Diff } from '@parley/protocol';
import type { Hooks } from '../hooks/hooks.ts';
import { partsOfContent } from '../loop/content-parts.ts';
import { callMark } from '../loop/log-marks.ts';
import type { Ask } from '../operations/ask.ts';
import type { Operations } from '../operations/operations.ts';
import { MAX_OUTPUT_CHARACTERS } from '../text.ts';
import { ToolInputError } from '../tools/input.ts';
import { failure } from '../tools/outcome.ts';
import type { FileChange, Tool, ToolContext, ToolDescription, ToolOutcome, ToolProgress } from '../tools/tool.ts';
import { askHooks, heedHooks } from './call-hooks.ts';
import { OutputView } from './output-view.ts';
import { ruleNameOf, toReading } from './permission-request.ts';
import { permitCall } from './permit-call.ts';
import type { ShownCall } from './shown-call.ts';
import { TerminalView } from './terminal-view.ts';
import type { ToolTurn } from './tool-turn.ts';

export interface ToolRunner {
  readonly turn: ToolTurn;
  /** The tools that exist right now; the mode decides. */
  readonly tools: () => readonly Tool[];
  readonly operations: Operations;
  /** The number of the answer that makes the calls. */
  readonly answer: number;
  /** Told what became of a file. */
  readonly onChange: (changes: readonly FileChange[]) => void;
  /** Told the id of a call that the person sees. */
  readonly onShown: (callId: string) => void;
  /** Programs of the person that hear of the calls. Default: none. */
  readonly hooks?: Hooks;
  /** The call as it was shown while its arguments came, if it was. */
  readonly announced?: (callId: string) => ToolCallHandle | undefined;
}

/** An output that was shortened already has some words around it. */
const MAX_OUTCOME_CHARACTERS = MAX_OUTPUT_CHARACTERS + 1000;

const INTERRUPTED = failure('The call was interrupted before it finished; its effect is unknown.');

const CANCELLED = failure('The person cancelled this call before it finished; its effect is unknown.');

/** Runs the calls of one answer: reading tools side by side, everything else one after the other, in order. */
export async function runToolCalls(runner: ToolRunner, calls: readonly ToolCallPart[]): Promise<readonly ToolResult[]> {
  const results: ToolResult[] = [];
  for (let at = 0; at < calls.length; ) {
    const reading = calls.slice(at).findIndex((call) => !runsBeside(runner, call));
    const count = reading < 0 ? calls.length - at : Math.max(reading, 1);
    results.push(...(await Promise.all(calls.slice(at, at + count).map((call) => runToolCall(runner, call)))));
    at += count;
  }
  return results;
}

function runsBeside({ tools }: ToolRunner, { name }: ToolCallPart): boolean {
  const tool = tools().find((each) => each.name === name);
  if (tool?.runsBeside) return true;
  return tool !== undefined && tool.level === 1 && (tool.kind === 'read' || tool.kind === 'search');
}

/** A cancelled turn still knows what each of its calls came to. */
async function runToolCall(runner: ToolRunner, call: ToolCallPart): Promise<ToolResult> {
  const { signal } = runner.turn;
  const outcome = signal.aborted ? INTERRUPTED : await attempt(runner, call).catch((error: unknown) => explain(error));
  return {
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: 'text', text: outcome.text }, ...(outcome.content ?? []).flatMap(visibleParts)],
    isError: outcome.isError ?? false,
  };

  function explain(error: unknown): ToolOutcome {
    if (signal.aborted) return INTERRUPTED;
    return failure(`The tool failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Unknown tools and bad arguments are shown as failed calls, so that the person sees what the model tried. */
async function attempt(runner: ToolRunner, call: ToolCallPart): Promise<ToolOutcome> {
  const { turn, tools } = runner;
  const tool = tools().find(({ name }) => name === call.name);
  if (!tool) {
    const names = tools().map(({ name }) => name);
    return refuse(runner, call, `There is no tool "${call.name}" in this mode. There are: ${names.join(', ')}.`);
  }
  let args: unknown;
  let description: ToolDescription;
  try {
    if (call.inputError !== undefined) throw new ToolInputError(call.inputError);
    args = tool.parse(call.input);
    description = tool.describe(args, { cwd: turn.session.cwd });
  } catch (error) {
    return refuse(runner, call, error instanceof Error ? error.message : String(error));
  }
  if (tool.isQuiet) return bounded(runner, await tool.run(contextFor(runner, args)));
  const { title, text, locations } = description;
  runner.onShown(call.id);
  const shown = showCall(runner, call, {
    title,
    name: ruleNameOf(tool, description),
    kind: tool.kind,
    ...(tool.isCancellable && { cancellable: true }),
    ...(text !== undefined && { text }),
    ...(locations && { locations }),
  });
  try {
    return await runShown(runner, { tool, args, input: call.input, description, shown });
  } catch (error) {
    if (turn.signal.aborted) throw error;
    if (shown.signal.aborted) return cancelled(shown);
    if (!shown.isFinal) shown.fail(error instanceof Error ? error : String(error));
    throw error;
  }
}

/** Shows a call whose arguments are whole: the one that was announced, with all that is known now, or a new one. */
function showCall({ announced, turn, answer }: ToolRunner, call: ToolCallPart, facts: NewToolCall): ToolCallHandle {
  const whole = { ...facts, rawInput: call.input, meta: callMark(answer, call.id) };
  const shown = announced?.(call.id);
  if (!shown || shown.isFinal) return turn.toolCall(whole);
  shown.update(whole);
  return shown;
}

/** Previews, asks, runs and shows the outcome of one call. */
async function runShown(runner: ToolRunner, call: ShownCall): Promise<ToolOutcome> {
  const { turn, onChange } = runner;
  const { tool, args, description, shown } = call;
  using view = new OutputView(shown);
  let ownTerminal: TerminalView | undefined;
  let hasTerminal = false;
  const show = ({ text, terminal, ...rest }: ToolProgress): void => {
    if (text !== undefined) (ownTerminal ?? view).append(text);
    hasTerminal ||= terminal !== undefined;
    if (terminal || rest.diff || rest.locations) shown.update({ ...rest, ...(terminal && { terminal }) });
  };
  const context = contextFor(runner, args, {
    show,
    ask: askAbout(turn, call),
    signal: shown.signal,
    callId: shown.id,
  });
  const preview = await tool.preview?.(context);
  if (preview && 'failure' in preview) {
    // Why it cannot work may tell what the file holds, which is for those who may read it.
    const { allowed, because } = await turn.askPermission(shown, { request: toReading(tool, description) });
    return finish(shown, allowed ? preview.failure : notAllowed(because), false);
  }
  if (preview?.diff) shown.update({ diff: preview.diff });
  const blocked = await askHooks(runner, call, { event: 'beforeTool' });
  if (blocked !== undefined) return finish(shown, failure(`A hook blocked it: ${blocked}`), false);
  const permitted = await permitCall(runner, call);
  if (!permitted.isAllowed) return finish(shown, notAllowed(permitted.because), false);
  shown.start();
  using terminal = terminalFor(turn, call);
  ownTerminal = terminal;
  const outcome = await heedHooks(
    runner,
    call,
    await bounded(runner, await tool.run({ ...context, operations: permitted.operations })),
  );
  if (outcome.changes) onChange(outcome.changes);
  turn.signal.throwIfAborted();
  shown.signal.throwIfAborted();
  terminal?.end(outcome.rawOutput);
  const isShown = hasTerminal || terminal !== undefined;
  return finish(shown, outcome, isShown || isSameDiff(preview?.diff, outcome));
}

/** What was asked about is what was done, so that it stands there already. */
function isSameDiff(preview: Diff | undefined, { diff, content, isError }: ToolOutcome): boolean {
  if (!preview || !diff || content || isError || Array.isArray(diff)) return false;
  const { path, oldText, newText } = diff as Diff;
  return preview.path === path && preview.oldText === oldText && preview.newText === newText;
}

/** However much a tool has to say, the model and the log get a part that fits, and a file with the whole. */
async function bounded({ operations }: ToolRunner, outcome: ToolOutcome): Promise<ToolOutcome> {
  if (outcome.text.length <= MAX_OUTCOME_CHARACTERS) return outcome;
  return { ...outcome, ...(await operations.outputs.shorten(outcome.text)) };
}

/** A command that the person waits for is shown as a terminal, to a client that shows those of an agent. */
function terminalFor(turn: ToolTurn, { tool, args, description, shown }: ShownCall): TerminalView | undefined {
  const { subject } = description;
  if (!turn.client.offers.agentTerminals || !tool.isCancellable || subject?.type !== 'command') return undefined;
  if ((args as { readonly isBackground?: boolean }).isBackground) return undefined;
  return new TerminalView({ turn, call: shown, command: subject.command, cwd: subject.cwd });
}

function notAllowed(because: string): ToolOutcome {
  return failure(`Not allowed: ${because}`);
}

function contextFor(
  { turn, operations }: ToolRunner,
  args: unknown,
  options: Partial<Pick<ToolContext<unknown>, 'show' | 'ask' | 'signal' | 'callId'>> = {},
): ToolContext<unknown> {
  const { session } = turn;
  const { show = () => {}, ask = nobodyToAsk, signal = turn.signal, callId } = options;
  return { args, cwd: session.cwd, roots: session.roots, operations, signal, callId, show, ask };
}

const nobodyToAsk: Ask = async () => ({ isAllowed: false, optionId: undefined });

/** A switch of modes is the one thing that policy always leaves to the person, which is what is wanted of a question. */
function askAbout(turn: ToolTurn, { tool, shown }: ShownCall): Ask {
  return async (options) => {
    const request = { tool: tool.name, kind: 'switch_mode' as const };
    const { allowed, optionId } = await turn.askPermission(shown, { options, request });
    return { isAllowed: allowed, optionId };
  };
}

/** The person has ended this one call; what it has shown stays. */
function cancelled(shown: ToolCallHandle): ToolOutcome {
  const { text } = CANCELLED;
  shown.cancel({ text, rawOutput: { text } });
  return CANCELLED;
}

/** A terminal already shows its output, and an edit its diff; everything else shows what the model reads. */
function finish(shown: ToolCallHandle, outcome: ToolOutcome, isShown: boolean): ToolOutcome {
  const { text, content = [], diff, locations, rawOutput, isError } = outcome;
  const changes = {
    ...(!isShown && { content: [{ type: 'text' as const, text }, ...content] }),
    ...(!isShown && diff && { diff }),
    ...(locations && { locations }),
    // Where it is not shown, what the model read is kept raw.
    rawOutput: isShown ? { ...(rawOutput as object), text } : (rawOutput ?? { text }),
  };
  if (isError) shown.fail(changes);
  else shown.complete(changes);
  return outcome;
}

function refuse(runner: ToolRunner, call: ToolCallPart, because: string): ToolOutcome {
  const { id, name } = call;
  runner.onShown(id);
  showCall(runner, call, { title: name || 'a tool without a name', name, kind: 'other' }).fail(because);
  return failure(because);
}

function visibleParts(block: ContentBlock): readonly ContentPart[] {
  return block.type === 'text' ? [] : partsOfContent(block);
}
