export {
  type FakeModelServer,
  type FakeModelServerOptions,
  type RecordedRequest,
  startFakeModelServer,
} from './fake-model-server.ts';
export {
  type ErrorReply,
  type FakeErrorKind,
  type FakeEvent,
  type FakeStopReason,
  type HangReply,
  type PlainReply,
  parseScript,
  type RawReply,
  type Reply,
  type ReplyCondition,
  type StreamReply,
} from './script.ts';
export type { WireName } from './wires/wire-name.ts';
