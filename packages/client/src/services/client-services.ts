import type { ClientCapabilities } from '@parley/protocol';
import { errorOfKind } from '@parley/protocol';
import type { AuthStatusResponse } from '@parley/protocol/unstable';
import type { Question } from '@parley/session';
import type { Clock } from '../clock.ts';
import type { ConnectOptions } from '../connect/connect-options.ts';
import type { Watchdog } from '../connect/link/silence-watchdog.ts';
import type { AgentSource } from '../connect/source/agent-source.ts';
import { UsageError } from '../errors.ts';
import type { ClientLimits } from '../limits.ts';
import type { ClientDuties, FileRequest, TerminalDuties } from '../peer/agent-peer.ts';
import { Approvals } from '../permissions/approvals.ts';
import { Permissions } from '../permissions/permissions.ts';
import { PolicyJudge } from '../permissions/policy-judge.ts';
import { ServiceGuard } from '../permissions/service-guard.ts';
import { Elicitations } from '../questions/elicitation.ts';
import { QuestionDesk } from '../questions/open-questions.ts';
import type { ClientSession } from '../session/live-session.ts';
import type { SessionRouter, SubagentUpdate } from '../session/session-router.ts';
import type { TerminalHost, TerminalHostOptions } from '../terminals/terminal-host.ts';
import { TerminalRegistry } from '../terminals/terminal-registry.ts';
import type { Workspace, WorkspaceOptions } from '../workspace/workspace.ts';
import { answerMcp } from './acp-servers.ts';

export interface ServicesContext {
  readonly options: ConnectOptions;
  readonly source: AgentSource;
  readonly clock: Clock;
  readonly limits: ClientLimits;
  readonly router: SessionRouter;
  readonly watchdog: Watchdog | undefined;
  readonly sessionOf: (sessionId: string) => ClientSession | undefined;
  readonly onQuestion: (question: Question) => void;
  readonly onAuthStatus: (status: AuthStatusResponse) => void;
  readonly onSubagent: (told: SubagentUpdate) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Everything we do for the agent: its questions, files and terminals. Lives as long as the connection, through reconnects. */
export class ClientServices {
  readonly duties: ClientDuties;
  /** What `initialize` advertises: exactly what the duties have. */
  readonly capabilities: ClientCapabilities;
  readonly desk: QuestionDesk;
  readonly #terminals: TerminalRegistry | undefined;
  readonly #approvals = new Approvals();

  constructor(context: ServicesContext) {
    const { options, source, clock, limits, sessionOf } = context;
    const workspace = createWorkspace(options.workspace, source);
    this.desk = new QuestionDesk({
      maxQuestions: limits.maxQuestions,
      clock,
      onQuestion: (question) => {
        sessionOf(question.sessionId ?? '')?.apply({ type: 'question', question });
        context.onQuestion(question);
      },
      onAnswer: ({ questionId, sessionId }, outcome) =>
        sessionOf(sessionId ?? '')?.apply({ type: 'answer', questionId, outcome }),
    });
    this.#terminals = createTerminals(context);
    this.duties = createDuties(context, {
      desk: this.desk,
      approvals: this.#approvals,
      workspace,
      terminals: this.#terminals,
    });
    this.capabilities = advertise(this.duties, options, source);
  }

  /** The session is over: nothing of it may stay open. */
  async endSession(sessionId: string): Promise<void> {
    this.desk.cancel(sessionId);
    this.#approvals.end(sessionId);
    await this.#terminals?.releaseAll(sessionId);
  }

  /** The agent is gone, and with it everyone who could want an answer. */
  async endAll(): Promise<void> {
    this.desk.cancel();
    await this.#terminals?.releaseAll();
  }
}

interface Parts {
  readonly desk: QuestionDesk;
  readonly approvals: Approvals;
  readonly workspace: Workspace | undefined;
  readonly terminals: TerminalRegistry | undefined;
}

function createDuties(context: ServicesContext, { desk, approvals, workspace, terminals }: Parts): ClientDuties {
  const { options, source, clock, router, watchdog, sessionOf, onFailure } = context;
  const judge = new PolicyJudge(options.permissions ?? {}, {
    clock,
    home: source.host?.home,
    realPath: source.host?.realPath,
    listFolder: source.host?.listFolder,
    shell: source.host?.shell,
    placeOf: sessionOf,
  });
  const permissions = new Permissions(options.permissions ?? {}, {
    desk,
    judge,
    approvals,
    onFailure,
    transcriptOf: (sessionId) => sessionOf(sessionId)?.transcript,
  });
  const guard = new ServiceGuard(judge, permissions, approvals);
  const { elicitation, extensions, acpServers } = options;
  const elicitations =
    elicitation &&
    new Elicitations(elicitation, {
      desk,
      onFailure,
      hasSession: (sessionId) => sessionOf(sessionId) !== undefined,
      whenDecided: (sessionId) => permissions.whenDecided(sessionId),
    });
  const read = workspace?.readTextFile?.bind(workspace);
  const write = workspace?.writeTextFile?.bind(workspace);
  const filesOf = ({ sessionId, path }: FileRequest): { sessionId: string; path: string; roots: string[] } => {
    const session = sessionOf(sessionId);
    if (!session) throw errorOfKind('session_not_found', { data: { sessionId } });
    return { sessionId, path, roots: [session.cwd, ...session.additionalDirectories] };
  };
  return {
    onEvent(sessionId, event) {
      watchdog?.heard(event);
      router.route(sessionId, event);
      if (event.type === 'subagent' && options.unstable) {
        const child = event.sessionId;
        router.adopt(child, sessionId, (each) =>
          context.onSubagent({ parentId: sessionId, sessionId: child, event: each }),
        );
      }
    },
    askPermission(request, signal) {
      watchdog?.heard(`a permission request for ${request.toolCall.title ?? request.toolCall.toolCallId}`);
      return permissions.answer(request, signal);
    },
    ...(elicitations && {
      elicit: (request, signal) => elicitations.elicit(request, signal),
      onElicitationComplete: (elicitationId) => elicitations.complete(elicitationId),
    }),
    onAuthStatus: (status) => context.onAuthStatus(status),
    ...(options.unstable && acpServers && { answerMcp: (params, call) => answerMcp(acpServers, params, call) }),
    ...(read && {
      async readTextFile({ line, limit, ...request }, signal) {
        const files = filesOf(request);
        await guard.checkFile(request.sessionId, 'read', request.path, signal);
        return read({ ...files, ...range(line, limit), signal });
      },
    }),
    ...(write && {
      async writeTextFile({ content, ...request }, signal) {
        const files = filesOf(request);
        await guard.checkFile(request.sessionId, 'edit', request.path, signal);
        await write({ ...files, content, signal });
      },
    }),
    ...(terminals && { terminals: guardTerminals(terminals, guard) }),
    onExtensionRequest: (method, params, signal) => own(extensions?.requests, method)?.(params, signal),
    extensionListeners: Object.entries(extensions?.notifications ?? {}).flatMap(([method, listeners]) =>
      [listeners].flat().map((listener) => ({ method, listener })),
    ),
  };
}

function guardTerminals(terminals: TerminalRegistry, guard: ServiceGuard): TerminalDuties {
  return {
    async create(request, signal) {
      await guard.checkTerminal(request, signal);
      return await terminals.create(request);
    },
    readOutput: (sessionId, terminalId) => terminals.readOutput(sessionId, terminalId),
    waitForExit: (sessionId, terminalId, signal) => terminals.waitForExit(sessionId, terminalId, signal),
    kill: (sessionId, terminalId) => terminals.kill(sessionId, terminalId),
    release: (sessionId, terminalId) => terminals.release(sessionId, terminalId),
  };
}

function advertise(
  duties: ClientDuties,
  { elicitation, auth, unstable = false }: ConnectOptions,
  source: AgentSource,
): ClientCapabilities {
  const hasTerminalLogin = auth?.terminal === true && source.authenticateInTerminal !== undefined;
  return {
    fs: { readTextFile: duties.readTextFile !== undefined, writeTextFile: duties.writeTextFile !== undefined },
    terminal: duties.terminals !== undefined,
    session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
    ...(unstable && { plan: {}, subagents: {} }),
    ...(hasTerminalLogin && { auth: { terminal: true } }),
    ...(duties.elicit && {
      elicitation: { ...(elicitation?.form && { form: {} }), ...(elicitation?.url && { url: {} }) },
    }),
    // Agents that run commands themselves show them through `_meta` to clients that say they understand it.
    _meta: { terminal_output: true, ...(hasTerminalLogin && { 'terminal-auth': true }) },
  };
}

function createWorkspace(
  workspace: Workspace | WorkspaceOptions | undefined,
  { host }: AgentSource,
): Workspace | undefined {
  if (!workspace || 'readTextFile' in workspace || 'writeTextFile' in workspace)
    return workspace as Workspace | undefined;
  if (host) return host.createWorkspace(workspace as WorkspaceOptions);
  throw notAvailable('workspace', 'createNodeWorkspace');
}

function createTerminals({ options, source, sessionOf }: ServicesContext): TerminalRegistry | undefined {
  const { terminals } = options;
  if (!terminals) return undefined;
  const hostOptions: TerminalHostOptions = terminals === true || isHost(terminals) ? {} : terminals;
  const host = terminals !== true && isHost(terminals) ? terminals : source.host?.createTerminals(hostOptions);
  if (!host) throw notAvailable('terminals', 'createNodeTerminals');
  return new TerminalRegistry({
    ...hostOptions,
    host,
    cwdOf: (sessionId) => sessionOf(sessionId)?.cwd,
    show: (sessionId, event) => sessionOf(sessionId)?.apply(event),
  });
}

function isHost(terminals: TerminalHost | TerminalHostOptions): terminals is TerminalHost {
  return 'create' in terminals;
}

function notAvailable(option: string, maker: string): UsageError {
  return new UsageError(
    'not_available',
    `\`${option}\` was given as plain options, but this transport brings no files and processes. Connect with spawnAgent, or pass ${maker}() of @parley/client/node.`,
  );
}

function range(line: number | undefined, limit: number | undefined): { line?: number; limit?: number } {
  return { ...(line !== undefined && { line }), ...(limit !== undefined && { limit }) };
}

/** A handler by name, and nothing that an object's prototype has. */
function own<Handler>(handlers: Readonly<Record<string, Handler>> | undefined, name: string): Handler | undefined {
  return handlers && Object.hasOwn(handlers, name) ? handlers[name] : undefined;
}
