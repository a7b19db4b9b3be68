import { errorOfKind } from '@parley/protocol';
import type { SilenceWatchdog } from '../link/silence-watchdog.ts';
import type { ClientDuties, FileRequest, TerminalDuties } from '../peer/client-duties.ts';
import type { Permissions } from '../permissions/permissions.ts';
import type { ServiceGuard } from '../permissions/service-guard.ts';
import type { Elicitations } from '../questions/elicitation.ts';
import type { ClientSession } from '../session/session.ts';
import type { SessionRouter } from '../session/session-router.ts';
import type { Subagents } from '../session/subagents/subagents.ts';
import type { TerminalRegistry } from '../terminals/terminal-registry.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { answerMcp } from './acp-servers.ts';
import type { ServiceOptions } from './service-options.ts';

/** The parts that do what the agent asks for. */
export interface DutyParts {
  readonly options: ServiceOptions;
  readonly workspace: Workspace | undefined;
  readonly terminals: TerminalRegistry | undefined;
  readonly permissions: Permissions;
  /** Looks at what the agent does through us; loaded when it is first needed. */
  readonly guard: () => Promise<ServiceGuard>;
  readonly elicitations: Elicitations | undefined;
  readonly sessions: ReadonlyMap<string, ClientSession>;
  readonly router: SessionRouter;
  readonly subagents: Subagents;
  readonly watchdog: SilenceWatchdog | undefined;
  readonly onAuthStatus: NonNullable<ClientDuties['onAuthStatus']>;
}

/** What the agent may ask and tell: each duty goes to the part that does it, past the guard where one must look. */
export function createDuties(parts: DutyParts): ClientDuties {
  const { options, workspace, terminals, permissions, guard, elicitations, sessions, router, subagents, watchdog } =
    parts;
  const { extensions, acpServers } = options;
  /** A request of a sub-agent becomes a request of its root session. */
  const inRoot = <Request extends { readonly sessionId?: string | undefined }>(request: Request): Request =>
    request.sessionId === undefined ? request : { ...request, sessionId: subagents.rootOf(request.sessionId) };
  const read = workspace?.readTextFile?.bind(workspace);
  const write = workspace?.writeTextFile?.bind(workspace);
  const filesOf = ({ sessionId, path }: FileRequest): { sessionId: string; path: string; roots: string[] } => {
    const session = sessions.get(sessionId);
    if (!session) throw errorOfKind('session_not_found', { data: { sessionId } });
    return { sessionId, path, roots: [session.cwd, ...session.additionalDirectories] };
  };
  return {
    onEvent(sessionId, event, cursor) {
      watchdog?.heard(event);
      router.route(sessionId, event, cursor);
      subagents.see(sessionId, event);
    },
    onTurnEnd: (sessionId, end) => router.endTurn(sessionId, end),
    askPermission(request, signal) {
      watchdog?.heard(`a permission request for ${request.toolCall.title ?? request.toolCall.toolCallId}`);
      return permissions.answer(subagents.attribute(request), signal);
    },
    ...(elicitations && {
      elicit: (request, signal) => elicitations.elicit(inRoot(request), signal),
      onElicitationComplete: (elicitationId) => elicitations.complete(elicitationId),
    }),
    onAuthStatus: parts.onAuthStatus,
    ...(options.unstable && acpServers && { answerMcp: (params, call) => answerMcp(acpServers, params, call) }),
    ...(options.unstable && options.answerMcp && { answerMcp: options.answerMcp }),
    ...(read && {
      async readTextFile({ line, limit, ...asked }, signal) {
        const request = inRoot(asked);
        const files = filesOf(request);
        await (await guard()).checkFile(request.sessionId, 'read', request.path, signal);
        return read({ ...files, ...range(line, limit), signal });
      },
    }),
    ...(write && {
      async writeTextFile({ content, ...asked }, signal) {
        const request = inRoot(asked);
        const files = filesOf(request);
        await (await guard()).checkFile(request.sessionId, 'edit', request.path, signal);
        await write({ ...files, content, signal });
      },
    }),
    ...(options.elsewhere && { elsewhere: options.elsewhere }),
    ...(terminals && { terminals: guardTerminals(terminals, guard, subagents) }),
    onExtensionRequest: (method, params, signal) => {
      const handler = own(extensions?.requests, method);
      return handler ? handler(params, signal) : extensions?.anyRequest?.(method, params, signal);
    },
    onAnyNotification: extensions?.anyNotification,
    extensionListeners: Object.entries(extensions?.notifications ?? {}).flatMap(([method, listeners]) =>
      [listeners].flat().map((listener) => ({ method, listener })),
    ),
  };
}

function guardTerminals(
  terminals: TerminalRegistry,
  guard: DutyParts['guard'],
  subagents: Pick<Subagents, 'rootOf'>,
): TerminalDuties {
  const rootOf = (sessionId: string): string => subagents.rootOf(sessionId);
  return {
    async create(asked, signal) {
      const request = { ...asked, sessionId: rootOf(asked.sessionId) };
      await (await guard()).checkTerminal(request, signal);
      return await terminals.create(request);
    },
    readOutput: (sessionId, terminalId) => terminals.readOutput(rootOf(sessionId), terminalId),
    waitForExit: (sessionId, terminalId, signal) => terminals.waitForExit(rootOf(sessionId), terminalId, signal),
    kill: (sessionId, terminalId) => terminals.kill(rootOf(sessionId), terminalId),
    release: (sessionId, terminalId) => terminals.release(rootOf(sessionId), terminalId),
  };
}

function range(line: number | undefined, limit: number | undefined): { line?: number; limit?: number } {
  return { ...(line !== undefined && { line }), ...(limit !== undefined && { limit }) };
}

/** A handler by name, and nothing that an object's prototype has. */
function own<Handler>(handlers: Readonly<Record<string, Handler>> | undefined, name: string): Handler | undefined {
  return handlers && Object.hasOwn(handlers, name) ? handlers[name] : undefined;
}
