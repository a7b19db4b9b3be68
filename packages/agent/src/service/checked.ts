import { RpcError } from '@parley/jsonrpc';
import { ValidationError } from '@parley/protocol/initialize';

/** Runs a check of what a client sent; what it finds wrong becomes an answer that names the place. */
export function checked<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof ValidationError ? RpcError.invalidParams(error.message) : error;
  }
}
