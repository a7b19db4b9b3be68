import { checkOutgoing, ValidationError, type Validator } from '@parley/protocol';
import { META } from '@parley/session';
import { UsageError } from '../errors.ts';
import type { Meta, SessionSetup } from './agent-peer.ts';

// What the requests to an agent have in common, whatever version it speaks.

export function withMeta(params: object, meta: Meta | undefined): object {
  return meta ? { ...params, _meta: meta } : params;
}

/** `_meta` of a request that opens a session again behind the event with the number `after`. */
export function metaAfter(meta: Meta | undefined, after: number | undefined): Meta | undefined {
  return after === undefined ? meta : { ...meta, [META.cursor]: after };
}

/** The unstable fields of a session's setup; they are set only when the agent advertised them. */
export function withUnstable(
  params: object & { readonly mcpServers?: readonly unknown[] },
  setup: SessionSetup | undefined,
): object {
  const { acpServers = [], systemPrompt } = setup ?? {};
  if (acpServers.length === 0 && !systemPrompt) return params;
  const own = acpServers.map((server) => ({ type: 'acp', ...server }));
  return {
    ...params,
    ...(own.length > 0 && { mcpServers: [...(params.mcpServers ?? []), ...own] }),
    ...(systemPrompt && { systemPrompt }),
  };
}

/** A message that an agent would quietly repair is not sent. Custom content is here only when it was declared. */
export function requireSendable(method: string, validator: Validator<unknown>, params: unknown): void {
  const problem = checkOutgoing(validator, params, 'any');
  if (!problem) return;
  throw new UsageError('invalid_request', `${method} was not sent: ${new ValidationError(problem).message}.`);
}

/** An id is kept, shown and sent with every message: one that is longer is not an id. */
const MAX_SESSION_ID_CHARACTERS = 4096;

export function requireShortId(sessionId: string): void {
  if (sessionId.length <= MAX_SESSION_ID_CHARACTERS) return;
  const expected = `at most ${MAX_SESSION_ID_CHARACTERS} characters`;
  throw new ValidationError({
    path: ['sessionId'],
    expected,
    received: `${sessionId.length} characters`,
    kind: 'rule',
  });
}
