export { encodeFrame } from './encode-frame.ts';
export { FrameDecoder, type FrameDecoderOptions, type FrameSink } from './frame-decoder.ts';
export { DEFAULT_MAX_DEPTH, DEFAULT_MAX_MESSAGE_BYTES, type Framing, type WireFraming } from './framing.ts';
export type { TextCodec } from './text-codec.ts';
export { UnsendableMessageError } from './unsendable-message-error.ts';
