/**
 * How messages are told apart on a byte wire. `newline`: one message per line, as ACP prescribes. `content-length`: a
 * header block with the length in bytes, as LSP does. `auto`: both are read, and the peer's first message decides how it is
 * answered, for as long as the wire lasts.
 */
export type Framing = 'newline' | 'content-length' | 'auto';

/** The framings a message can be written in. */
export type WireFraming = Exclude<Framing, 'auto'>;

/** The largest frame that is read unless the options say otherwise: what the official SDK accepts. */
export const DEFAULT_MAX_MESSAGE_BYTES: number = 32 * 1024 * 1024;

/**
 * The deepest nesting that is read unless the options say otherwise. V8 parses any depth, but `JSON.stringify`,
 * `structuredClone` and every recursive walk overflow the stack from about 5000 levels on.
 */
export const DEFAULT_MAX_DEPTH: number = 1000;

/** The largest header block in front of a `Content-Length` frame. */
export const MAX_HEADER_BYTES: number = 8 * 1024;

/** The largest body that is passed over for its size. A header that announces more cannot be meant. */
export const MAX_BODY_BYTES: number = 1024 * 1024 * 1024;
