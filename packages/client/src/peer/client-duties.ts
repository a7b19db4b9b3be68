import type { AuthStatusResponse } from '@parley/protocol/unstable';
import type { FormReply, NewFormQuestion, PermissionAnswer, PermissionQuestion, SessionEvent } from '@parley/session';
import type { TerminalCreation, TerminalExit, TerminalOutput } from '../terminals/terminal-host.ts';
import type { TurnEnd } from './agent-peer.ts';

/** What the agent may ask and tell us. A method that is missing was not advertised, and is refused. */
export interface ClientDuties {
  /** `cursor` is the event's number, where the agent gives it one. */
  onEvent(sessionId: string, event: SessionEvent, cursor?: number): void;
  /** A turn has ended. Comes in the order of the wire, after all events of the turn. */
  onTurnEnd(sessionId: string, end: TurnEnd): void;
  askPermission(request: PermissionRequest, signal: AbortSignal): Promise<PermissionAnswer>;
  elicit?(request: NewFormQuestion, signal: AbortSignal): Promise<FormReply>;
  onElicitationComplete?(elicitationId: string): void;
  onAuthStatus?(status: AuthStatusResponse): void;
  /** Answers for an MCP server that we are ourselves. */
  answerMcp?(params: unknown, call: { signal: AbortSignal; notify: (params: object) => void }): Promise<unknown>;
  readTextFile?(
    request: FileRequest & { readonly line?: number; readonly limit?: number },
    signal: AbortSignal,
  ): Promise<string>;
  writeTextFile?(request: FileRequest & { readonly content: string }, signal: AbortSignal): Promise<void>;
  readonly terminals?: TerminalDuties;
  /** Answers a request for files or terminals in our place; undefined where it is ours. */
  elsewhere?(method: string, params: unknown, signal: AbortSignal): Promise<unknown> | undefined;
  /** Answers a request that is not part of the protocol; undefined means that no handler knows it. */
  onExtensionRequest?: (method: string, params: unknown, signal: AbortSignal) => unknown;
  /** Takes notifications that are not part of the protocol and have no listener. */
  readonly onAnyNotification?: ((method: string, params: unknown) => void) | undefined;
  /** Listeners for notifications that are not part of the protocol; one may have several. */
  readonly extensionListeners: readonly { readonly method: string; readonly listener: (params: unknown) => void }[];
}

/** A permission that is asked for, before the question has an id. */
export type PermissionRequest = Omit<PermissionQuestion, 'questionId'> & { readonly sessionId: string };

export interface FileRequest {
  readonly sessionId: string;
  readonly path: string;
}

/** The five terminal methods, for terminals that belong to us. */
export interface TerminalDuties {
  create(request: TerminalCreation, signal: AbortSignal): Promise<string>;
  readOutput(sessionId: string, terminalId: string): TerminalOutput | Promise<TerminalOutput>;
  waitForExit(sessionId: string, terminalId: string, signal: AbortSignal): Promise<TerminalExit>;
  kill(sessionId: string, terminalId: string): Promise<void>;
  release(sessionId: string, terminalId: string): Promise<void>;
}
