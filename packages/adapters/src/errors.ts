import { ParleyError } from '@parley/jsonrpc';

/** Every code an error of this package can have. */
export type AdapterErrorCode = 'description_invalid' | 'description_unreadable';

/** A description cannot be used; its message names each problem with its place in the file. */
export class DescriptionError extends ParleyError {
  override readonly name = 'DescriptionError';

  constructor(message: string, options: { readonly code?: AdapterErrorCode; readonly cause?: unknown } = {}) {
    const { code = 'description_invalid', cause } = options;
    super(code, message, cause === undefined ? undefined : { cause });
  }
}
