import { RpcError } from '@parley/jsonrpc';
import { type PermissionOption, type RequestPermissionOutcome, ValidationError, v1 } from '@parley/protocol';
import { v2 } from '@parley/protocol/v2';
import type { ClientProfile } from '../messages/client-profile.ts';
import { createFileService } from './file-service.ts';
import type { Probe } from './probe.ts';
import { TerminalService } from './terminal-service.ts';

/** Answers everything an agent may ask of a client with this profile. Permission is given unless a check says otherwise. */
export function serveClient(
  probe: Probe,
  { profile, cwd }: { readonly profile: ClientProfile; readonly cwd: string },
): void {
  probe.respond('session/request_permission', (params) => choose(optionsOf(probe, params), 'allow'));
  if (profile === 'full') probe.respond('elicitation/create', () => ({ action: 'decline' }));
  // In version 2 files and terminals are the agent's own business.
  if (profile === 'full' && probe.words.version === 1) serveWorkspace(probe, cwd);
}

/** The options of a permission request; refuses one that does not fit the schema. */
export function optionsOf({ words }: Probe, params: unknown): readonly PermissionOption[] {
  const method = 'session/request_permission';
  if (words.version === 1) return refusing(() => v1.parseParams(method, params).options);
  return refusing(() => v2.parseParams(method, params).options) as readonly PermissionOption[];
}

/** The files and terminals of a client. */
function serveWorkspace(probe: Probe, cwd: string): void {
  const files = createFileService(cwd);
  probe.respond(
    'fs/read_text_file',
    parsed('fs/read_text_file', (params) => files.read(params)),
  );
  probe.respond(
    'fs/write_text_file',
    parsed('fs/write_text_file', (params) => files.write(params)),
  );

  const terminals = new TerminalService(cwd);
  void probe.wire.ended.then(() => terminals.releaseAll());
  probe.respond(
    'terminal/create',
    parsed('terminal/create', (params) => terminals.create(params)),
  );
  probe.respond(
    'terminal/output',
    parsed('terminal/output', ({ terminalId }) => terminals.output(terminalId)),
  );
  probe.respond(
    'terminal/wait_for_exit',
    parsed('terminal/wait_for_exit', ({ terminalId }) => terminals.waitForExit(terminalId)),
  );
  probe.respond(
    'terminal/kill',
    parsed('terminal/kill', ({ terminalId }) => terminals.kill(terminalId)),
  );
  probe.respond(
    'terminal/release',
    parsed('terminal/release', ({ terminalId }) => terminals.release(terminalId)),
  );
}

/** Answers a permission request by the kind of its options, never by their ids. */
export function choose(
  options: readonly PermissionOption[],
  answer: 'allow' | 'reject',
): { readonly outcome: RequestPermissionOutcome } {
  const option =
    options.find(({ kind }) => kind === `${answer}_once`) ?? options.find(({ kind }) => kind.startsWith(answer));
  return { outcome: option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' } };
}

type ClientMethod = Parameters<typeof v1.parseParams>[0];

function parsed<Method extends ClientMethod>(
  method: Method,
  answer: (params: ReturnType<typeof v1.parseParams<Method>>) => unknown,
): (params: unknown) => unknown {
  return (params) => refusing(() => answer(v1.parseParams(method, params)));
}

function refusing<Value>(work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    if (error instanceof ValidationError) throw error.toRpcError();
    throw error instanceof RpcError ? error : RpcError.internalError(String(error));
  }
}
