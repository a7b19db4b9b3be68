import { type Connection, RpcError } from '@parley/jsonrpc';
import { INVALID, sessionIdOf, takeProblem, ValidationError } from '@parley/protocol';
import { type CreateElicitationRequest, type RequestPermissionRequest, v2, validators } from '@parley/protocol/v2';
import { META, type NewFormQuestion, type SessionEvent } from '@parley/session';
import { eventFromV2, formFromV2, formReplyToV2, permissionAnswerToV2, permissionFromV2 } from '@parley/session/v2';
import { answerRequest, takeNotices } from '../answers.ts';
import type { ClientDuties } from '../client-duties.ts';
import type { OnInvalid } from '../protocol-version.ts';
import { readUsage } from '../read-usage.ts';
import type { V2Sessions } from './sessions.ts';

export interface ServedAgent {
  readonly connection: Connection;
  readonly duties: ClientDuties;
  readonly sessions: V2Sessions;
  readonly onInvalid: OnInvalid;
}

/** Registers an answer for everything a v2 agent may ask. It has files and terminals of its own; what we did not offer gets -32601. */
export function serveAgent({ connection, duties, sessions, onInvalid }: ServedAgent): void {
  connection.onNotification('session/update', (params) => {
    const valid = validators.UpdateSessionNotification(params);
    if (valid === INVALID) {
      const { path, expected, received } = takeProblem();
      const why = `${path.join('.')}: expected ${expected}, received ${received}`;
      return onInvalid(`session/update: ${why}`, { method: 'session/update', sessionId: sessionIdOf(params) });
    }
    const session = sessions.of(valid.sessionId);
    const event = eventFromV2(valid.update, session.terminals);
    const cursor = valid._meta?.[META.cursor];
    session.see(withTokens(event, valid.update), typeof cursor === 'number' ? cursor : undefined);
  });
  takeNotices(connection, duties);
  answerRequest(connection, 'session/request_permission', {
    readParams: readWith<RequestPermissionRequest>('session/request_permission'),
    result: v2.requests['session/request_permission'].result,
    handle: async (request, signal) =>
      permissionAnswerToV2(await duties.askPermission(permissionFromV2(request), signal)),
    onInvalid,
  });
  const { elicit } = duties;
  if (!elicit) return;
  answerRequest(connection, 'elicitation/create', {
    readParams: readWith<CreateElicitationRequest>('elicitation/create'),
    result: v2.requests['elicitation/create'].result,
    handle: async (request, signal) => formReplyToV2(await elicit(readForm(request), signal)),
    onInvalid,
  });
}

/** The tokens of the turn that an idle state ends. Still unstable. */
function withTokens(event: SessionEvent, update: object): SessionEvent {
  if (event.type !== 'state' || !('usage' in update)) return event;
  const tokens = readUsage(update.usage);
  return tokens ? { ...event, tokens } : event;
}

function readWith<Params>(method: 'session/request_permission' | 'elicitation/create'): (params: unknown) => Params {
  return (params) => {
    const valid: unknown = v2.requests[method].params(params ?? {});
    if (valid === INVALID) throw new ValidationError(takeProblem()).toRpcError();
    return valid as Params;
  };
}

function readForm(request: CreateElicitationRequest): NewFormQuestion {
  const question = formFromV2(request);
  if (!question) throw RpcError.invalidParams(`mode: expected one that the client advertised, got "${request.mode}"`);
  return question;
}
