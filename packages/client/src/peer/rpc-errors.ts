import { ParleyError, RpcError } from '@parley/jsonrpc';
import { type ErrorKind, errorOfKind } from '@parley/protocol';
import type { WorkspaceErrorCode } from '../workspace/workspace.ts';

const WORKSPACE_KINDS: { readonly [Code in WorkspaceErrorCode]: ErrorKind } = {
  file_not_found: 'resource_not_found',
  file_binary: 'invalid_params',
  file_too_large: 'invalid_params',
  path_forbidden: 'permission_denied',
  path_invalid: 'invalid_params',
  not_a_file: 'invalid_params',
  file_failed: 'internal_error',
};

/** What the agent is told of a failure of ours: the sentence, and a reason that programs can read. */
export function toRpcError(error: unknown): unknown {
  if (error instanceof RpcError || !(error instanceof ParleyError)) return error;
  const { code: reason, message } = error;
  const kind = Object.hasOwn(WORKSPACE_KINDS, reason)
    ? WORKSPACE_KINDS[reason as WorkspaceErrorCode]
    : 'internal_error';
  const { path } = error as { path?: string };
  return errorOfKind(kind, { message, data: { reason, ...(path !== undefined && { path }) } });
}
