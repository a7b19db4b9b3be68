import type { InitializeResponse, PromptRequest, SessionNotification, ToolCall } from '../../src/index.ts';
import type { ExpectNone, Mismatch, Writable } from './mismatch.ts';
import type { TypePairs as V1 } from './v1.gen.ts';
import type { TypePairs as V1Unstable } from './v1-unstable.gen.ts';
import type { TypePairs as V2, OpenTypes as V2Open } from './v2.gen.ts';
import type { TypePairs as V2Unstable, OpenTypes as V2UnstableOpen } from './v2-unstable.gen.ts';

// Every type of version 1 is assignable to the SDK's of the same name, and the SDK's to ours.
export type V1Differs = ExpectNone<Mismatch<V1>>;
export type V1UnstableDiffers = ExpectNone<Mismatch<V1Unstable>>;

// So is every type of version 2 that holds no open union. The open ones differ in one member: both sides brand the
// variants they do not know, each with a symbol of its own that nobody else can name.
export type V2Differs = ExpectNone<Exclude<Mismatch<V2>, V2Open>>;
export type V2UnstableDiffers = ExpectNone<Exclude<Mismatch<V2Unstable>, V2UnstableOpen>>;

// What arrives is not ours to change: the fields of every type are read-only.
export type WritableFields = ExpectNone<
  | Writable<SessionNotification>
  | Writable<PromptRequest>
  | Writable<ToolCall>
  | Writable<NonNullable<ToolCall['_meta']>>
  | Writable<InitializeResponse>
>;
