import type { ClientCapabilities } from '@parley/protocol';
import type { AuthStatusResponse } from '@parley/protocol/unstable';
import type { Question } from '@parley/session';
import type { AuthOptions } from '../auth/auth-options.ts';
import type { Clock } from '../clock.ts';
import type { ReportDiagnostic } from '../diagnostics.ts';
import type { Emitter } from '../emitter.ts';
import type { ClientLimits } from '../limits.ts';
import type { SilenceWatchdog } from '../link/silence-watchdog.ts';
import type { ClientDuties } from '../peer/client-duties.ts';
import { Approvals } from '../permissions/approvals.ts';
import { Permissions } from '../permissions/permissions.ts';
import type { PolicyJudge } from '../permissions/policy-judge.ts';
import type { ServiceGuard } from '../permissions/service-guard.ts';
import { Elicitations } from '../questions/elicitation.ts';
import { OpenQuestions } from '../questions/open-questions.ts';
import type { LiveSession } from '../session/live-session.ts';
import type { SessionRouter } from '../session/session-router.ts';
import type { Subagents } from '../session/subagents/subagents.ts';
import type { AgentSource } from '../source/agent-source.ts';
import { TerminalRegistry } from '../terminals/terminal-registry.ts';
import { advertise } from './advertise.ts';
import { createDuties } from './create-duties.ts';
import { createTerminalHost, createWorkspace } from './platform-services.ts';
import type { ServiceOptions } from './service-options.ts';

/** What the application hears of requests of the agent. */
interface ServiceEvents {
  readonly question: Question;
  readonly auth: AuthStatusResponse;
}

export interface ServicesContext {
  readonly options: ServiceOptions & { readonly auth?: AuthOptions };
  readonly source: AgentSource;
  readonly clock: Clock;
  readonly limits: ClientLimits;
  readonly router: SessionRouter;
  readonly subagents: Subagents;
  readonly watchdog: SilenceWatchdog | undefined;
  /** The open sessions by id. */
  readonly sessions: ReadonlyMap<string, LiveSession>;
  readonly emitter: Pick<Emitter<ServiceEvents>, 'emit'>;
  readonly report: ReportDiagnostic;
}

/** Everything we do for the agent: its questions, files and terminals. Lives as long as the connection, through reconnects. */
export class ClientServices {
  readonly duties: ClientDuties;
  /** What `initialize` advertises: exactly what the duties have. */
  readonly capabilities: ClientCapabilities;
  readonly questions: OpenQuestions;
  readonly #terminals: TerminalRegistry | undefined;
  readonly #approvals = new Approvals();

  constructor(context: ServicesContext) {
    const { options, source, sessions } = context;
    this.questions = this.#createQuestions(context);
    const judge = once(() => loadJudge(context));
    const workspace = createWorkspace(options.workspace, source);
    this.#terminals = createTerminals(context);
    const onFailure = (error: unknown): void =>
      context.report({ kind: 'handler_failed', message: 'A handler of this client failed.', error });
    const permissions = new Permissions(options.permissions ?? {}, {
      questions: this.questions,
      judge,
      // Only what the agent does through us is looked at again.
      approvals: workspace || this.#terminals ? this.#approvals : undefined,
      onFailure,
      transcriptOf: (sessionId) => sessions.get(sessionId)?.transcript,
    });
    const elicitations =
      options.elicitation &&
      new Elicitations(options.elicitation, {
        questions: this.questions,
        onFailure,
        hasSession: (sessionId) => sessions.has(sessionId),
        whenDecided: (sessionId) => permissions.whenDecided(sessionId),
      });
    this.duties = createDuties({
      ...context,
      workspace,
      terminals: this.#terminals,
      permissions,
      guard: once(() => loadGuard(judge, permissions, this.#approvals)),
      elicitations,
      onAuthStatus: (status) => context.emitter.emit('auth', status),
    });
    this.capabilities = advertise(this.duties, options, source);
  }

  #createQuestions({ clock, limits, sessions, emitter }: ServicesContext): OpenQuestions {
    return new OpenQuestions({
      maxQuestions: limits.maxQuestions,
      clock,
      onQuestion: (question) => {
        sessions.get(question.sessionId ?? '')?.apply({ type: 'question', question });
        emitter.emit('question', question);
      },
      onAnswer: ({ questionId, sessionId }, outcome) =>
        sessions.get(sessionId ?? '')?.apply({ type: 'answer', questionId, outcome }),
    });
  }

  /** The session is over: nothing of it may stay open. */
  async endSession(sessionId: string): Promise<void> {
    this.questions.cancel(sessionId);
    this.#approvals.end(sessionId);
    await this.#terminals?.releaseAll(sessionId);
  }

  /** The agent is gone, and nobody waits for answers any more. */
  async endAll(): Promise<void> {
    this.questions.cancel();
    await this.#terminals?.releaseAll();
  }
}

async function loadJudge({ options, source: { host }, clock, sessions }: ServicesContext): Promise<PolicyJudge> {
  const { PolicyJudge: Judge } = await import('../permissions/policy-judge.ts');
  return new Judge(options.permissions ?? {}, {
    clock,
    home: host?.home,
    realPath: host?.realPath,
    listFolder: host?.listFolder,
    shell: host?.shell,
    placeOf: (sessionId) => sessions.get(sessionId),
  });
}

async function loadGuard(
  judge: () => Promise<PolicyJudge>,
  permissions: Permissions,
  approvals: Approvals,
): Promise<ServiceGuard> {
  const { ServiceGuard: Guard } = await import('../permissions/service-guard.ts');
  return new Guard(await judge(), permissions, approvals);
}

/** Makes something when it is first asked for. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function createTerminals({ options, source, sessions }: ServicesContext): TerminalRegistry | undefined {
  const host = createTerminalHost(options.terminals, source);
  if (!host) return undefined;
  return new TerminalRegistry({
    ...host,
    cwdOf: (sessionId) => sessions.get(sessionId)?.cwd,
    show: (sessionId, event) => sessions.get(sessionId)?.apply(event),
  });
}
