import { ParleyError } from '@parley/jsonrpc';

/** A listener could not be opened: its options are not safe or not possible, or the system refuses the address. */
export class ListenError extends ParleyError {
  override readonly name = 'ListenError';

  constructor(message: string, options?: { readonly cause?: unknown }) {
    super('listen_failed', message, options);
  }

  /** The system's refusal of an address, in words that say what to do. */
  static because(cause: NodeJS.ErrnoException, address: string): ListenError {
    const advice = ADVICE[cause.code ?? ''] ?? `${cause.message}.`;
    return new ListenError(`Cannot listen on ${address}: ${advice}`, { cause });
  }
}

const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the address is in use. Stop the program that uses it, or choose another port (0 takes a free one).',
  EACCES: 'this user may not. Choose a port above 1023, or a folder that you may write to.',
  EADDRNOTAVAIL: 'this machine has no such address. Use 127.0.0.1, ::1 or an address of one of its networks.',
  ENOTFOUND: 'the name has no address. Use 127.0.0.1, ::1 or an address of one of its networks.',
};
