import { type Connection, RpcError } from '@parley/jsonrpc';
import {
  type ClientRequests,
  type CreateTerminalRequest,
  checkRules,
  INVALID,
  keepCustomContent,
  type ParamsOf,
  type ReadTextFileRequest,
  type ResultOf,
  takeProblem,
  ValidationError,
  v1,
} from '@parley/protocol';
import {
  formFromV1,
  formReplyToV1,
  type NewFormQuestion,
  permissionAnswerToV1,
  permissionFromV1,
} from '@parley/session';
import type { TerminalCreation } from '../../terminals/terminal-host.ts';
import { answerRequest, takeNotices } from '../answers.ts';
import type { ClientDuties, TerminalDuties } from '../client-duties.ts';
import type { OnInvalid } from '../protocol-version.ts';
import { displayTerminalEvents } from './display-terminals.ts';
import { readUpdate } from './read-update.ts';

type Method = keyof ClientRequests;
type Params<Name extends Method> = ParamsOf<ClientRequests, Name>;
type Result<Name extends Method> = ResultOf<ClientRequests, Name>;

/** Registers an answer for everything a v1 agent may ask; what we did not offer gets -32601. */
export function serveAgent(connection: Connection, duties: ClientDuties, onInvalid: OnInvalid): void {
  const { elsewhere } = duties;
  function answer<Name extends Method>(
    method: Name,
    handler: ((params: Params<Name>, signal: AbortSignal) => Promise<Result<Name>> | Result<Name>) | false | undefined,
  ): void {
    if (!handler) return;
    answerRequest<Params<Name>, Result<Name>>(connection, method, {
      readParams: (params) => readParams(method, params),
      result: v1.requests[method].result,
      handle: elsewhere && isService(method) ? passOn(method, handler) : handler,
      onInvalid,
    });
  }

  /** A request for files or terminals may be somebody else's to answer. */
  function passOn<Name extends Method>(
    method: Name,
    handler: (params: Params<Name>, signal: AbortSignal) => Promise<Result<Name>> | Result<Name>,
  ): typeof handler {
    return (params, signal) =>
      (elsewhere?.(method, params, signal) as Promise<Result<Name>> | undefined) ?? handler(params, signal);
  }

  connection.onNotification('session/update', (params) => {
    const update = readUpdate(params, onInvalid);
    if (!update) return;
    duties.onEvent(update.sessionId, update.event, update.cursor);
    for (const event of displayTerminalEvents(update.event)) duties.onEvent(update.sessionId, event);
  });
  takeNotices(connection, duties);

  answer('session/request_permission', async (params, signal) =>
    permissionAnswerToV1(await duties.askPermission(permissionFromV1(params), signal)),
  );
  const { elicit } = duties;
  answer(
    'elicitation/create',
    elicit && (async (params, signal) => formReplyToV1(await elicit(readForm(params), signal))),
  );
  serveFiles();
  if (duties.terminals) serveTerminals(duties.terminals);

  function serveFiles(): void {
    const { readTextFile, writeTextFile } = duties;
    answer(
      'fs/read_text_file',
      readTextFile && (async (params, signal) => ({ content: await readTextFile(readRequest(params), signal) })),
    );
    answer(
      'fs/write_text_file',
      writeTextFile &&
        (async ({ sessionId, path, content }, signal) => {
          await writeTextFile({ sessionId, path, content }, signal);
          return {};
        }),
    );
  }

  function serveTerminals(terminals: TerminalDuties): void {
    answer('terminal/create', async (params, signal) => ({
      terminalId: await terminals.create(creation(params), signal),
    }));
    answer('terminal/output', async ({ sessionId, terminalId }) => {
      const { output, isTruncated, exit } = await terminals.readOutput(sessionId, terminalId);
      return { output, truncated: isTruncated, ...(exit && { exitStatus: { ...exit } }) };
    });
    answer('terminal/wait_for_exit', async ({ sessionId, terminalId }, signal) => ({
      ...(await terminals.waitForExit(sessionId, terminalId, signal)),
    }));
    answer('terminal/kill', async ({ sessionId, terminalId }) => {
      await terminals.kill(sessionId, terminalId);
      return {};
    });
    answer('terminal/release', async ({ sessionId, terminalId }) => {
      await terminals.release(sessionId, terminalId);
      return {};
    });
  }
}

function isService(method: string): boolean {
  return method.startsWith('fs/') || method.startsWith('terminal/');
}

function readParams<Name extends Method>(method: Name, params: unknown): Params<Name> {
  const valid = keepCustomContent<unknown>(v1.requests[method].params, params ?? {});
  if (valid === INVALID) throw new ValidationError(takeProblem()).toRpcError();
  // A permission request is answered even when its tool call names a file in a way it should not.
  const problem = method === 'session/request_permission' ? undefined : checkRules(method, valid as Params<Name>);
  if (problem) throw new ValidationError(problem).toRpcError();
  return valid as Params<Name>;
}

function readForm(params: Params<'elicitation/create'>): NewFormQuestion {
  const question = formFromV1(params);
  if (!question) throw RpcError.invalidParams(`mode: expected one that the client advertised, got "${params.mode}"`);
  return question;
}

function readRequest({ sessionId, path, line, limit }: ReadTextFileRequest): {
  sessionId: string;
  path: string;
  line?: number;
  limit?: number;
} {
  return { sessionId, path, ...(line != null && { line }), ...(limit != null && { limit }) };
}

function creation({ sessionId, command, args, env, cwd, outputByteLimit }: CreateTerminalRequest): TerminalCreation {
  return {
    sessionId,
    command,
    args: args ?? [],
    env: Object.fromEntries((env ?? []).map(({ name, value }) => [name, value])),
    ...(cwd != null && { cwd }),
    ...(outputByteLimit != null && { outputByteLimit }),
  };
}
