import { ParleyError } from '@parley/jsonrpc';

/** A page could not be fetched, or may not be. */
export class WebError extends ParleyError {
  override readonly name = 'WebError';
}
