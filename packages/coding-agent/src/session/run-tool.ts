import type { ToolCallHandle, Turn } from '@parley/agent';
import type { ToolRequest } from '@parley/policy';
import type { ContentBlock } from '@parley/protocol';
import { partsOfContent } from '../loop/content-parts.ts';
import type { ContentPart, ToolCallPart, ToolResult } from '../models/history.ts';
import { ToolInputError } from '../tools/input.ts';
import type { Operations } from '../tools/operations.ts';
import type { FileBefore, Tool, ToolDescription, ToolOutcome, ToolProgress } from '../tools/tool.ts';
import { OutputView } from './output-view.ts';

export interface ToolRunner {
  readonly turn: Turn;
  /** The tools that exist right now; the mode decides. */
  readonly tools: () => readonly Tool[];
  readonly operations: Operations;
  /** Told what a changed file held before. */
  readonly onChange: (before: readonly FileBefore[]) => void;
}

/** Runs the calls of one answer: reading tools side by side, everything else one after the other, in order. */
export async function runToolCalls(runner: ToolRunner, calls: readonly ToolCallPart[]): Promise<readonly ToolResult[]> {
  const results: ToolResult[] = [];
  for (let at = 0; at < calls.length; ) {
    const reading = calls.slice(at).findIndex((call) => !isReading(runner, call));
    const count = reading < 0 ? calls.length - at : Math.max(reading, 1);
    results.push(...(await Promise.all(calls.slice(at, at + count).map((call) => runToolCall(runner, call)))));
    at += count;
  }
  return results;
}

function isReading({ tools }: ToolRunner, { name }: ToolCallPart): boolean {
  const tool = tools().find((each) => each.name === name);
  return tool !== undefined && tool.level === 1 && (tool.kind === 'read' || tool.kind === 'search');
}

async function runToolCall(runner: ToolRunner, call: ToolCallPart): Promise<ToolResult> {
  const outcome = await attempt(runner, call);
  return {
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: 'text', text: outcome.text }, ...(outcome.content ?? []).flatMap(visibleParts)],
    isError: outcome.isError ?? false,
  };
}

/** Unknown tools and bad arguments are shown as failed calls, so that the person sees what the model tried. */
async function attempt(runner: ToolRunner, call: ToolCallPart): Promise<ToolOutcome> {
  const { turn, tools } = runner;
  const tool = tools().find(({ name }) => name === call.name);
  if (!tool) {
    const names = tools().map(({ name }) => name);
    return refuse(turn, call, `There is no tool "${call.name}" in this mode. There are: ${names.join(', ')}.`);
  }
  let args: unknown;
  let description: ToolDescription;
  try {
    if (call.inputError !== undefined) throw new ToolInputError(call.inputError);
    args = tool.parse(call.input);
    description = tool.describe(args, { cwd: turn.session.cwd });
  } catch (error) {
    return refuse(turn, call, error instanceof Error ? error.message : String(error));
  }
  if (tool.isQuiet) return runQuietly(runner, tool, args);
  const { title, locations } = description;
  const shown = turn.toolCall({
    title,
    name: tool.name,
    kind: tool.kind,
    rawInput: call.input,
    ...(locations && { locations }),
  });
  const { allowed, because } = await turn.askPermission(shown, { request: toRequest(tool, description) });
  if (!allowed) {
    shown.fail(because);
    return { text: `This was not allowed: ${because} Do not try it again by other means.`, isError: true };
  }
  return run(runner, { tool, args, shown });
}

async function run(
  { turn, operations, onChange }: ToolRunner,
  { tool, args, shown }: { readonly tool: Tool; readonly args: unknown; readonly shown: ToolCallHandle },
): Promise<ToolOutcome> {
  using view = new OutputView(shown);
  let hasTerminal = false;
  const show = ({ text, terminal, ...rest }: ToolProgress): void => {
    if (text !== undefined) view.append(text);
    hasTerminal ||= terminal !== undefined;
    if (terminal || rest.diff || rest.locations) shown.update({ ...rest, ...(terminal && { terminal }) });
  };
  shown.start();
  const { session, signal } = turn;
  const { cwd, roots } = session;
  const outcome = await tool.run({ args, cwd, roots, operations, signal, show });
  signal.throwIfAborted();
  if (outcome.before) onChange(outcome.before);
  finish(shown, outcome, hasTerminal);
  return outcome;
}

async function runQuietly({ turn, operations }: ToolRunner, tool: Tool, args: unknown): Promise<ToolOutcome> {
  const { session, signal } = turn;
  const { cwd, roots } = session;
  return tool.run({ args, cwd, roots, operations, signal, show: () => {} });
}

/** A terminal already shows its output; everything else shows what the model reads. */
function finish(shown: ToolCallHandle, outcome: ToolOutcome, hasTerminal: boolean): void {
  const { text, content = [], diff, locations, rawOutput, isError } = outcome;
  const changes = {
    ...(!hasTerminal && { content: [...content, { type: 'text' as const, text }] }),
    ...(diff && { diff }),
    ...(locations && { locations }),
    rawOutput: rawOutput ?? { text },
  };
  if (isError) shown.fail(changes);
  else shown.complete(changes);
}

function refuse(turn: Turn, call: ToolCallPart, because: string): ToolOutcome {
  turn.toolCall({ title: call.name, name: call.name, kind: 'other', rawInput: call.input }).fail(because);
  return { text: because, isError: true };
}

function toRequest(tool: Tool, { title, subject, undo }: ToolDescription): Partial<ToolRequest> {
  return {
    tool: tool.name,
    kind: tool.kind,
    level: tool.level,
    title,
    ...(undo !== undefined && { hints: { rollbackSteps: undo } }),
    ...(subject?.type === 'paths' && { paths: subject.paths }),
    ...(subject?.type === 'url' && { url: subject.url }),
    ...(subject?.type === 'command' && { command: { type: 'line', line: subject.command }, cwd: subject.cwd }),
  };
}

function visibleParts(block: ContentBlock): readonly ContentPart[] {
  return block.type === 'text' ? [] : partsOfContent(block);
}
