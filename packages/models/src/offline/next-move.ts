import type { ModelRequest, ToolDefinition } from '../model/model.ts';
import { withoutSituations } from '../model/situation.ts';
import { describeAction, describeResult } from './describe.ts';
import { digest } from './digest.ts';
import { CONNECT_LINE, GREETING, HELP, notUnderstood, THANKS } from './help.ts';
import { type Action, type Intent, isReadOnly } from './intent.ts';
import { callFor, fitInput, type PlannedCall, toolNameFor } from './tool-call.ts';
import { type CallMark, readTurn, type TurnState } from './turn-state.ts';

/** What the model does next: words, or calls whose results it will see. */
export interface Move {
  readonly thought?: string;
  readonly text?: string;
  readonly calls: readonly (PlannedCall & { readonly target: number | CallMark })[];
}

/** Decides the next move from the conversation alone; the same request always gives the same move. */
export function nextMove(asked: ModelRequest): Move {
  const request = { ...asked, messages: withoutSituations(asked.messages) };
  const state = readTurn(request.messages);
  const tools = (request.tools ?? []).filter(({ name }) => !request.unusableTools?.includes(name));
  if (state.actions.length === 0) return say(talk(state, request));
  if (!state.prompt.isToBeDone) return proposePlan(state, tools);
  const failed = state.actions.findIndex((_, index) => state.results.get(index)?.isError === true);
  if (failed >= 0) return say(report(state, request));
  const steps = state.actions.map((action, index) => ({ action, index }));
  const next = steps.find(({ index }) => !state.results.has(index));
  return next === undefined ? finish(state, { tools, request }) : proceed(state, next, { tools, request });
}

/** An action and its place among all of them. */
interface PlannedStep {
  readonly action: Action;
  readonly index: number;
}

interface Situation {
  readonly tools: readonly ToolDefinition[];
  readonly request: ModelRequest;
}

function proceed(state: TurnState, next: PlannedStep, { tools, request }: Situation): Move {
  const batch = batchFrom(state.actions, next);
  const calls = batch.map((step) => ({ ...step, call: callFor(step.action, tools) }));
  const blocked = calls.find(({ call }) => call === undefined);
  if (blocked !== undefined) return leavePlanMode(state, blocked.action, { tools, request });
  const running = batch.map(({ index }) => index);
  const plan = needsPlan(state) ? planCall(state, { running, tools }) : [];
  return {
    ...(isBeginning(state) && { thought: understood(state.actions) }),
    calls: [...plan, ...calls.flatMap(({ index, call }) => (call ? [{ ...call, target: index }] : []))],
  };
}

/** Steps that only look run side by side; a step that changes something runs alone. */
function batchFrom(actions: readonly Action[], first: PlannedStep): readonly PlannedStep[] {
  const following = actions.slice(first.index + 1);
  const end = following.findIndex((action) => !isReadOnly(action));
  const alike = isReadOnly(first.action) ? following.slice(0, end < 0 ? undefined : end) : [];
  return [first, ...alike.map((action, offset) => ({ action, index: first.index + 1 + offset }))];
}

/** A tool that is missing may be back once the person has approved the plan. */
function leavePlanMode(state: TurnState, blocked: Action, { tools, request }: Situation): Move {
  const exit = tools.find(({ name }) => name === 'exit_plan_mode');
  const answer = state.marks.get('exit');
  if (exit !== undefined && !state.marks.has('exit')) {
    const plan = state.marks.has('plan') ? [] : planCall(state, { tools });
    const call = { name: exit.name, input: fitInput(exit, { plan: planText(state.actions) }), target: 'exit' as const };
    return { thought: understood(state.actions), calls: [...plan, call] };
  }
  if (answer?.isError) return say(`The plan was not approved, so I changed nothing.\n\n${planText(state.actions)}`);
  const missing = `I cannot ${describeAction(blocked)}: the tool \`${toolNameFor(blocked)}\` is not available in this mode.`;
  return say([report(state, request), missing].filter((text) => text !== '').join('\n\n'));
}

function proposePlan(state: TurnState, tools: readonly ToolDefinition[]): Move {
  const plan = state.marks.has('plan') ? [] : planCall(state, { tools });
  if (plan.length > 0) return { thought: understood(state.actions), calls: plan };
  return say(`${planText(state.actions)}\n\nNothing has been changed yet. Say \`do it\` and I will carry it out.`);
}

function finish(state: TurnState, { tools, request }: Situation): Move {
  const isOpen = state.marks.has('plan') && !state.marks.has('plandone');
  const close = isOpen ? planCall(state, { tools, target: 'plandone' }) : [];
  return close.length > 0 ? { calls: close } : say(report(state, request));
}

/** What was done, what failed and what was left, then the answers to whatever needed no tool. */
function report(state: TurnState, request: ModelRequest): string {
  const done = state.actions.flatMap((action, index) => {
    const result = state.results.get(index);
    return result === undefined ? [] : [describeResult(action, result)];
  });
  const hasFailed = [...state.results.values()].some(({ isError }) => isError);
  const left = state.actions.filter((_, index) => !state.results.has(index));
  const notDone =
    hasFailed && left.length > 0 ? [`I stopped there and did not ${left.map(describeAction).join(', ')}.`] : [];
  const talked = hasFailed ? [] : answers(state.prompt.steps, request);
  return [...done, ...notDone, ...talked].join('\n\n');
}

function talk(state: TurnState, request: ModelRequest): string {
  const { steps } = state.prompt;
  const said = answers(steps.length === 0 ? [{ kind: 'unknown', text: '' }] : steps, request);
  const seen =
    state.attachments.length > 0
      ? [`You attached ${state.attachments.join(', ')}; I have no way to look at that.`]
      : [];
  return [...seen, ...said].join('\n\n');
}

/** How to get a better model stands once behind these. */
const DISAPPOINTS: ReadonlySet<Intent['kind']> = new Set(['help', 'greet', 'go', 'unknown']);

/** Each thing is said once; what was not understood comes first, so that nobody misses it. */
function answers(steps: readonly Intent[], request: ModelRequest): readonly string[] {
  const unknown = steps.flatMap((step) => (step.kind === 'unknown' ? [step.text] : []));
  const said = steps.map((step) => answer(step, request)).filter((text) => text !== '');
  return [
    ...(unknown.length > 0 ? [notUnderstood(unknown)] : []),
    ...new Set(said),
    ...(steps.some(({ kind }) => DISAPPOINTS.has(kind)) ? [CONNECT_LINE] : []),
  ];
}

/** What is said to one step; the unknown ones are answered together. */
function answer(step: Intent, request: ModelRequest): string {
  switch (step.kind) {
    case 'help':
      return HELP;
    case 'greet':
      return GREETING;
    case 'thank':
      return THANKS;
    case 'summarize':
      return digest(
        request.messages.slice(
          0,
          request.messages.findLastIndex(({ role }) => role === 'user'),
        ),
      );
    case 'go':
      return 'There is no plan to carry out yet; begin with `plan: …`.';
    default:
      return '';
  }
}

interface PlanOptions {
  readonly tools: readonly ToolDefinition[];
  readonly running?: readonly number[];
  readonly target?: 'plan' | 'plandone';
}

function planCall(state: TurnState, { tools, running = [], target = 'plan' }: PlanOptions): Move['calls'] {
  const tool = tools.find(({ name }) => name === 'update_plan');
  if (tool === undefined) return [];
  const entries = state.actions.map((action, index) => ({
    content: capitalize(describeAction(action)),
    priority: 'medium',
    status: state.results.has(index) ? 'completed' : running.includes(index) ? 'in_progress' : 'pending',
  }));
  return [{ name: tool.name, input: fitInput(tool, { entries }), target }];
}

function needsPlan({ actions, prompt }: TurnState): boolean {
  return prompt.isPlan || actions.length > 1;
}

function isBeginning({ results, marks }: TurnState): boolean {
  return results.size === 0 && marks.size === 0;
}

function understood(actions: readonly Action[]): string {
  return `I read this as: ${actions.map(describeAction).join('; ')}.`;
}

function planText(actions: readonly Action[]): string {
  return actions.map((action, index) => `${index + 1}. ${capitalize(describeAction(action))}`).join('\n');
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function say(text: string): Move {
  return { text, calls: [] };
}
