import type {
  Decision,
  FolderEntry,
  OfferedOption,
  PermissionMode,
  Policy,
  RememberedStore,
  RememberScope,
  Rule,
  Shell,
  ToolRequest,
  ToolSet,
} from '@parley/policy';
import type { PermissionOption, ToolCallUpdate } from '@parley/protocol';
import type { ToolCallEvent } from '@parley/session';
import type { AgentDefinition } from '../definition.ts';
import type { PermissionAnswer } from '../peer/client-peer.ts';
import type { LiveSession } from '../session/live-session.ts';
import type { RunningTurn } from './running-turn.ts';
import { OpenToolCall, type ToolCallHandle } from './tool-call.ts';

/** What may happen without asking the person. Unknown always means: ask. */
export interface PermissionSettings {
  /** In modes that say nothing about it. Default: `default`, which asks for everything that no rule allows. */
  readonly mode?: PermissionMode;
  /** Such as `Bash(git *)`, `Read`, `deny Read(.env)`. */
  readonly rules?: readonly (Rule | string)[];
  readonly toolSets?: readonly ToolSet[];
  /** Where answers with "always" are kept. Default: in memory, and then only for the session. */
  readonly remembered?: RememberedStore;
  /** What `~` stands for. Without it every path under `~` is asked for. */
  readonly home?: string;
  /** Follows symbolic links. Without it paths are compared as they are written. */
  readonly realPath?: (path: string) => string;
  /** What is in a folder, so that rules hold for everything a pattern meets. Without it patterns are asked about. */
  readonly listFolder?: (path: string, limit: number) => readonly FolderEntry[] | undefined;
  /** The shell that runs command lines. Without it, what shells read differently is asked about. */
  readonly shell?: Shell;
}

export interface AskPermissionOptions {
  /** What the tool call does, where it cannot be told from the call itself: its command, its level, how to undo it. */
  readonly request?: Partial<ToolRequest>;
  /** What the person can choose from. Default: once and always, of which "always" says what it covers and is remembered. */
  readonly options?: readonly PermissionOption[];
  /** How far an "always" may reach. Default: the session, and the project where answers are stored. */
  readonly scopes?: readonly RememberScope[];
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Whether a tool call may run, and why. */
export interface PermissionDecision {
  readonly allowed: boolean;
  /** One sentence for a person. */
  readonly because: string;
  /** Whether the person was asked. */
  readonly asked: boolean;
  /** The option that the person chose. */
  readonly optionId?: string;
  /** The answer holds from now on, as far as the option said. */
  readonly remembered?: boolean;
}

type PolicyModule = typeof import('@parley/policy');

interface Question {
  readonly module: PolicyModule;
  readonly request: ToolRequest;
  readonly decision: Decision;
  readonly toolCall: Omit<ToolCallEvent, 'type'>;
  readonly options: AskPermissionOptions;
}

/** Asks the rules, then what was remembered, then the person. Any answer that is not a clear yes means no. */
export async function askPermission(
  turn: RunningTurn,
  call: ToolCallHandle,
  options: AskPermissionOptions,
): Promise<PermissionDecision> {
  turn.signal.throwIfAborted();
  // The shell parser behind the rules is large; an agent that never asks never loads it.
  const module = await import('@parley/policy');
  const toolCall: Question['toolCall'] = call instanceof OpenToolCall ? call.event : { toolCallId: call.id };
  const { level, hints } = turn.session.definition.tools.get(toolCall.name ?? '') ?? {};
  const request = {
    ...module.requestFromToolCall(toWire(toolCall)),
    ...(level !== undefined && { level }),
    ...(hints && { hints }),
    ...options.request,
  };
  const decision = module.decide(await createPolicy(module, turn.session), request);
  turn.signal.throwIfAborted();
  if (decision.verdict !== 'ask') {
    return { allowed: decision.verdict === 'allow', because: decision.because, asked: false };
  }
  return askClient(turn, { module, request, decision, toolCall, options });
}

async function createPolicy(module: PolicyModule, session: LiveSession): Promise<Policy> {
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

async function askClient(turn: RunningTurn, question: Question): Promise<PermissionDecision> {
  const { session, wire, signal } = turn;
  const { module, decision, options } = question;
  const offered = offer(question, session);
  let answer: PermissionAnswer;
  await session.whenShown();
  try {
    answer = await wire.askPermission(
      {
        sessionId: session.id,
        toolCall: withHints(question),
        options: offered.map(({ option }) => option),
        meta: options.meta,
      },
      { signal },
    );
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
  const { optionId } = answer;
  const { isAllowed, isCancelled, chosen } = module.readAnswer(
    offered,
    optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId },
  );
  const remembered = chosen ? await remember(question, session, chosen) : false;
  return {
    allowed: isAllowed,
    because: isAllowed
      ? 'You allowed it.'
      : (answer.because ?? (isCancelled ? 'Nobody answered the question.' : 'It was rejected.')),
    asked: true,
    ...(chosen && { optionId: chosen.option.optionId }),
    ...(remembered && { remembered }),
  };
}

function offer({ module, request, decision, options }: Question, session: LiveSession): OfferedOption[] {
  if (options.options) return module.readOptions(options.options);
  const { scopes = session.definition.permissions(session).remembered ? ['session', 'project'] : ['session'] } =
    options;
  return module.offerOptions(request, decision, session.cwd, scopes);
}

async function remember({ module }: Question, session: LiveSession, chosen: OfferedOption): Promise<boolean> {
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

function rememberedOf(module: PolicyModule, session: LiveSession): RememberedStore {
  const { definition } = session;
  const { remembered } = definition.permissions(session);
  if (remembered) return remembered;
  const memory = memories.get(definition) ?? module.createMemoryRemembered();
  memories.set(definition, memory);
  return memory;
}

/** What the person should know before saying yes, where clients that show it look for it. */
function withHints({ request: { level, hints }, toolCall }: Question): Question['toolCall'] {
  if (level === undefined && hints === undefined) return toolCall;
  const meta = {
    ...toolCall.meta,
    ...(level !== undefined && { safetyLevel: level }),
    ...(hints && { approvalHints: hints }),
  };
  return { ...toolCall, meta };
}

function placeOf(session: LiveSession): { readonly sessionId: string; readonly project: string } {
  return { sessionId: session.id, project: session.cwd };
}

function toWire({ meta, content, locations, ...call }: Omit<ToolCallEvent, 'type'>): ToolCallUpdate {
  return {
    ...call,
    ...(content && { content: [...content] }),
    ...(locations && { locations: [...locations] }),
    ...(meta && { _meta: meta }),
  };
}
