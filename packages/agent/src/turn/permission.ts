import type { Decision, OfferedOption, Policy, RememberedStore, ToolRequest } from '@parley/policy';
import { type Answer, type PermissionQuestion, type QuestionedToolCall, toolCallToV1 } from '@parley/session';
import type { AgentDefinition } from '../contract/definition.ts';
import type { AskPermissionOptions, PermissionDecision } from '../contract/permission-settings.ts';
import type { ToolCallHandle } from '../contract/tool-call.ts';
import { TIMED_OUT } from '../questions/questions.ts';
import { OpenToolCall } from './tool-call.ts';
import type { TurnSession } from './turn-session.ts';

/** The turn that wants to know. */
export interface AskingTurn {
  readonly id: string;
  readonly session: TurnSession;
}

type PolicyModule = typeof import('@parley/policy');

interface Asking {
  readonly module: PolicyModule;
  readonly request: ToolRequest;
  readonly decision: Decision;
  readonly toolCall: QuestionedToolCall;
  readonly options: AskPermissionOptions;
  /** Aborts when the call is cancelled, or its turn. */
  readonly signal: AbortSignal;
}

/** Asks the rules, then what was remembered, then the person. Any answer that is not a clear yes means no. */
export async function askPermission(
  turn: AskingTurn,
  call: ToolCallHandle,
  options: AskPermissionOptions,
): Promise<PermissionDecision> {
  const { signal } = call;
  signal.throwIfAborted();
  // The shell parser behind the rules is large; an agent that never asks never loads it.
  const module = await import('@parley/policy');
  const toolCall: Asking['toolCall'] = call instanceof OpenToolCall ? call.event : { toolCallId: call.id };
  const { level, hints } = turn.session.definition.tools.get(toolCall.name ?? '') ?? {};
  const request = {
    ...module.requestFromToolCall(toolCallToV1(toolCall)),
    ...(level !== undefined && { level }),
    ...(hints && { hints }),
    ...options.request,
  };
  const decision = module.decide(await createPolicy(module, turn.session), request);
  signal.throwIfAborted();
  const isAllowed = decision.verdict === 'allow';
  if (decision.verdict === 'deny' || (isAllowed && !options.alwaysAsks)) {
    return { allowed: isAllowed, because: decision.because, asked: false, decision };
  }
  return askClient(turn, { module, request, decision, toolCall, options, signal });
}

async function createPolicy(module: PolicyModule, session: TurnSession): Promise<Policy> {
  const { mode, rules, toolSets = [], home, realPath, listFolder, shell } = session.definition.permissions(session);
  const { permissions = mode, tools } = session.definition.modes.find(({ id }) => id === session.mode) ?? {};
  const [cwd = '/', ...additionalDirectories] = session.roots;
  return module.createPolicy({
    workspace: {
      cwd,
      additionalDirectories,
      ...(home !== undefined && { home }),
      ...(realPath && { realPath }),
      ...(listFolder && { listFolder }),
    },
    ...(shell && { shell }),
    ...(permissions && { mode: permissions }),
    ...(rules && { rules }),
    toolSets: tools ? [...toolSets, tools] : toolSets,
    remembered: await rememberedOf(module, session).list(placeOf(session)),
  });
}

async function askClient(turn: AskingTurn, question: Asking): Promise<PermissionDecision> {
  const { session, id: turnId } = turn;
  const { module, decision, options, signal } = question;
  const offered = offer(question, session);
  const { timeoutMs = session.definition.permissions(session).timeoutMs } = options;
  let answer: Answer | typeof TIMED_OUT;
  try {
    const asked = toQuestion(question, offered, timeoutMs);
    answer = await session.questions.ask(asked, { turnId, signal, timeoutMs });
  } catch (error) {
    signal.throwIfAborted();
    session.report({
      kind: 'permission_failed',
      message: 'The client could not be asked for permission.',
      direction: 'out',
      method: 'session/request_permission',
      error,
    });
    return { allowed: false, because: `${decision.because} The client could not be asked.`, asked: true };
  }
  if (answer === TIMED_OUT)
    return { allowed: false, because: `Nobody answered within ${(timeoutMs ?? 0) / 1000} s.`, asked: true };
  const { optionId, because } = answer.type === 'permission' ? answer : {};
  const { isAllowed, isCancelled, chosen } = module.readAnswer(
    offered,
    optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId },
  );
  const remembered = chosen ? await remember(question, session, chosen) : false;
  return {
    allowed: isAllowed,
    because: isAllowed
      ? 'You allowed it.'
      : (because ?? (isCancelled ? 'Nobody answered the question.' : 'It was rejected.')),
    asked: true,
    ...(chosen && { optionId: chosen.option.optionId }),
    ...(remembered && { remembered }),
  };
}

function toQuestion(
  question: Asking,
  offered: readonly OfferedOption[],
  timeoutMs: number | undefined,
): PermissionQuestion {
  const { meta, title, description } = question.options;
  return {
    type: 'permission',
    questionId: crypto.randomUUID(),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    toolCall: withHints(question),
    options: offered.map(({ option }) => option),
    ...(meta && { meta }),
    ...(timeoutMs !== undefined && { expiresAtMs: Date.now() + timeoutMs }),
  };
}

function offer({ module, request, decision, options }: Asking, session: TurnSession): OfferedOption[] {
  if (options.options) return module.readOptions(options.options);
  const { scopes = session.definition.permissions(session).remembered ? ['session', 'project'] : ['session'] } =
    options;
  return module.offerOptions(request, decision, session.cwd, scopes);
}

async function remember({ module }: Asking, session: TurnSession, chosen: OfferedOption): Promise<boolean> {
  const entry = { id: crypto.randomUUID(), createdAt: new Date().toISOString(), place: placeOf(session) };
  const remembered = module.rememberedFrom(chosen, entry);
  if (!remembered) return false;
  try {
    await rememberedOf(module, session).save(remembered);
    return true;
  } catch (error) {
    session.report({ kind: 'permission_failed', message: 'An answer could not be remembered.', error });
    return false;
  }
}

/** Answers of agents that store none, for as long as the agent lives. */
const memories = new WeakMap<AgentDefinition, RememberedStore>();

function rememberedOf(module: PolicyModule, session: TurnSession): RememberedStore {
  const { definition } = session;
  const { remembered } = definition.permissions(session);
  if (remembered) return remembered;
  const memory = memories.get(definition) ?? module.createMemoryRemembered();
  memories.set(definition, memory);
  return memory;
}

/** What the person should know before saying yes, where clients that show it look for it. */
function withHints({ request: { level, hints }, toolCall }: Asking): Asking['toolCall'] {
  if (level === undefined && hints === undefined) return toolCall;
  const meta = {
    ...toolCall.meta,
    ...(level !== undefined && { safetyLevel: level }),
    ...(hints && { approvalHints: hints }),
  };
  return { ...toolCall, meta };
}

function placeOf(session: TurnSession): { readonly sessionId: string; readonly project: string } {
  return { sessionId: session.id, project: session.cwd };
}
