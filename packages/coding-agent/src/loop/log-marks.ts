import type { AssistantMessage, ProviderSignature, ToolCallPart, ToolResult } from '@parley/models/model';
import type { ContentBlock } from '@parley/protocol';
import type { WithMeta } from '@parley/session';
import type { RepairLevel } from './abridge.ts';

type Meta = Record<string, unknown>;

const ANSWER = 'parley/answer';
const PERSON_ONLY = 'parley/aside';
const CALL = 'parley/call';
const PARTS = 'parley/parts';
const UNSHOWN = 'parley/unshown';
const SITUATION = 'parley/situation';
const REPAIRED = 'parley/repaired';
const ASKED = 'parley/asked';
const DROPPED = 'parley/dropped';

/** Marks what came of one answer of the model, so that its calls are told from those of the next answer. */
export function answerMark(answer: number): Meta {
  return { [ANSWER]: answer };
}

/** The same for a call that is shown under an id of ours; the model has its own. */
export function callMark(answer: number, callId: string): Meta {
  return { [ANSWER]: answer, [CALL]: callId };
}

export function readAnswerNumber({ meta }: WithMeta): number | undefined {
  const answer = meta?.[ANSWER];
  return typeof answer === 'number' ? answer : undefined;
}

export function readCallId({ meta }: WithMeta): string | undefined {
  const id = meta?.[CALL];
  return typeof id === 'string' ? id : undefined;
}

/**
 * How an answer was put together. Its words are in the log as they were shown, so only their lengths are kept; what the
 * provider wants back with them is shown to nobody.
 */
export type AnswerPart =
  | { readonly type: 'text' | 'thought'; readonly length: number; readonly signature?: ProviderSignature }
  | {
      readonly type: 'tool_call';
      readonly id: string;
      readonly name: string;
      readonly signature?: ProviderSignature;
    };

/** What the log of an answer does not tell by itself; undefined when there is nothing of the kind. */
export function answerRecord({ content }: AssistantMessage, answer: number): Meta | undefined {
  if (content.every((part) => part.type === 'text' && part.signature === undefined)) return undefined;
  const parts = content.map((part): AnswerPart => {
    const signed = part.signature === undefined ? {} : { signature: part.signature };
    if (part.type === 'tool_call') return { type: part.type, id: part.id, name: part.name, ...signed };
    return { type: part.type, length: part.text.length, ...signed };
  });
  return { [ANSWER]: answer, [PARTS]: parts };
}

export function readAnswerParts({ meta }: WithMeta): readonly AnswerPart[] | undefined {
  return listAt<AnswerPart>(meta, PARTS);
}

/** A call that is not shown as one, and what the model heard of it. */
export interface UnshownCall {
  readonly id: string;
  readonly input: ToolCallPart['input'];
  readonly text: string;
  readonly isError: boolean;
}

/** What became of the calls that nobody was shown. */
export function unshownRecord(
  calls: readonly ToolCallPart[],
  results: readonly ToolResult[],
  shown: ReadonlySet<string>,
): Meta | undefined {
  const unshown = calls.flatMap(({ id, input }, index): readonly UnshownCall[] => {
    const result = results[index];
    if (result === undefined || shown.has(id)) return [];
    const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    return [{ id, input, text, isError: result.isError }];
  });
  return unshown.length === 0 ? undefined : { [UNSHOWN]: unshown };
}

export function readUnshown({ meta }: WithMeta): readonly UnshownCall[] {
  return listAt<UnshownCall>(meta, UNSHOWN) ?? [];
}

/** What the model was told about its situation at this point of the conversation. */
export function situationMark(text: string): Meta {
  return { [SITUATION]: text };
}

export function readSituation({ meta }: WithMeta): string | undefined {
  const text = meta?.[SITUATION];
  return typeof text === 'string' ? text : undefined;
}

/** What the model was asked in place of the prompt before this. */
export function askedMark(content: readonly ContentBlock[]): Meta {
  return { [ASKED]: content };
}

export function readAsked({ meta }: WithMeta): readonly ContentBlock[] | undefined {
  return listAt<ContentBlock>(meta, ASKED);
}

/** From here on the provider gets the conversation before this point with something left out. */
export function repairMark(level: RepairLevel): Meta {
  return { [REPAIRED]: level };
}

export function readRepair({ meta }: WithMeta): RepairLevel | undefined {
  const level = meta?.[REPAIRED];
  return level === 'thoughts' || level === 'abridged' ? level : undefined;
}

/** What was said and thought since the last whole answer is no part of the conversation: it broke off, or there was nothing in it. */
export const DROPPED_MARK: Readonly<Meta> = { [DROPPED]: true };

export function isDropped({ meta }: WithMeta): boolean {
  return meta?.[DROPPED] === true;
}

/** Marks what the agent tells the person beside the conversation; the model never hears of it. */
export const PERSON_ONLY_MARK: Readonly<Meta> = { [PERSON_ONLY]: true };

export function isForPersonOnly({ meta }: WithMeta): boolean {
  return meta?.[PERSON_ONLY] === true;
}

/** Nobody but the agent writes under these keys, so what a list holds is trusted. */
function listAt<Item>(meta: WithMeta['meta'], key: string): readonly Item[] | undefined {
  const value = meta?.[key];
  return Array.isArray(value) ? (value as readonly Item[]) : undefined;
}
