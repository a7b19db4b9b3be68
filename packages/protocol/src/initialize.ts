import { InitializeRequest as check } from './v1/initialize.gen.ts';
import type { InitializeRequest } from './v1/types.gen.ts';
import { parse, type Validator } from './validation/parse.ts';

// The first request of every connection, apart from all others: until it is answered, nobody knows which version the two
// sides will speak, and the rest of a version takes longer to load than an answer to this.
export { canAuthenticateInTerminal } from './capabilities.ts';
export { sessionIdOf } from './session-id.ts';
export type { InitializeRequest, InitializeResponse } from './v1/types.gen.ts';
export { VERSION as V1_VERSION } from './v1/version.ts';
export { ValidationError } from './validation/validation-error.ts';

/** The params of `initialize`, whatever version the client asks for. */
export function parseInitialize(params: unknown): InitializeRequest {
  return parse(check as Validator<InitializeRequest>, params ?? {});
}
