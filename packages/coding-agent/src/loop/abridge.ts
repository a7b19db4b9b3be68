import type { AssistantPart, ContentPart, History, HistoryMessage, ModelError } from '@parley/models/model';
import { headOf, isSituation } from '@parley/models/model';

/** What is left out of a history that a provider refuses: the thoughts it is to have had, or all that is large or strange. */
export type RepairLevel = 'thoughts' | 'abridged';

/** Characters of each text that stay in an abridged history. */
const REPAIR_LIMIT = 4_000;

/** Which repairs are worth a try after a refusal, in their order; none where nothing could be left out. */
export function repairsFor({ code, status, message }: ModelError, history: History): readonly RepairLevel[] {
  // Without a status the answer had begun, so it was not the request that was wrong.
  if (code !== 'invalid_request' || status === undefined) return [];
  const isAboutThoughts = /signature|thinking|thought|reasoning|encrypted/i.test(message);
  const levels: readonly RepairLevel[] = isAboutThoughts ? ['thoughts', 'abridged'] : ['abridged'];
  return levels.filter((level) => repairRefused(history, level) !== history);
}

/** The same for the same history, so that a session that is opened again sends what it sent before. */
export function repairRefused(history: History, level: RepairLevel): History {
  const limits = { limit: REPAIR_LIMIT, promptLimit: Number.POSITIVE_INFINITY };
  return mapChanged(history, (message) => {
    const thoughtless = withoutThoughts(message);
    return level === 'thoughts' ? thoughtless : abridge(thoughtless, limits);
  });
}

/** A history told in fewer words: without thoughts and media, and with at most so many characters of each text. */
export function abridgeHistory(history: History, limit: number): History {
  if (limit === Number.POSITIVE_INFINITY) return history;
  return history.map((message) => abridge(withoutThoughts(message), { limit, promptLimit: limit }));
}

/** One message in fewer words, without thoughts, which are bound to what stood before them, and without media. */
export function abridgeStep(message: HistoryMessage, limits: Limits): HistoryMessage {
  return abridge(withoutThoughts(message), limits);
}

export interface Limits {
  readonly limit: number;
  /** Of what the person wrote. */
  readonly promptLimit: number;
}

function withoutThoughts(message: HistoryMessage): HistoryMessage {
  if (message.role !== 'assistant') return message;
  const isSigned = message.content.some((part) => part.type === 'thought' || part.signature !== undefined);
  if (!isSigned) return message;
  return {
    ...message,
    content: message.content.flatMap((part): readonly AssistantPart[] => {
      if (part.type === 'thought') return [];
      const { signature: _, ...rest } = part;
      return [rest];
    }),
  };
}

function abridge(message: HistoryMessage, { limit, promptLimit }: Limits): HistoryMessage {
  if (message.role === 'user') {
    const content = abridgeParts(message.content, { limit, promptLimit });
    return content === message.content ? message : { ...message, content };
  }
  if (message.role === 'tool') {
    const results = mapChanged(message.results, (result) => {
      const content = abridgeParts(result.content, { limit, promptLimit: limit });
      return content === result.content ? result : { ...result, content };
    });
    return results === message.results ? message : { ...message, results };
  }
  const content = mapChanged(message.content, (part) =>
    part.type === 'tool_call' ? abridgeCall(part, limit) : abridgeText(part, limit),
  );
  return content === message.content ? message : { ...message, content };
}

function abridgeParts(parts: readonly ContentPart[], { limit, promptLimit }: Limits): readonly ContentPart[] {
  return mapChanged(parts, (part): ContentPart => {
    if (part.type === 'image' || part.type === 'audio' || part.type === 'document') {
      return { type: 'text', text: `[${part.type} left out]` };
    }
    if (isSituation(part)) return part;
    return abridgeText(part, part.type === 'text' ? promptLimit : limit);
  });
}

function abridgeText<Part extends { readonly text: string }>(part: Part, limit: number): Part {
  return part.text.length <= limit ? part : { ...part, text: `${headOf(part.text, limit)} [...]` };
}

/** Arguments stay an object: only their texts are cut. */
function abridgeCall<Call extends { readonly input: Readonly<Record<string, unknown>> }>(
  call: Call,
  limit: number,
): Call {
  const isLong = (value: unknown): value is string => typeof value === 'string' && value.length > limit;
  if (!Object.values(call.input).some(isLong)) return call;
  const entries = Object.entries(call.input).map(([key, value]) => [
    key,
    isLong(value) ? `${headOf(value, limit)} [...]` : value,
  ]);
  return { ...call, input: Object.fromEntries(entries) as Record<string, unknown> };
}

/** The same list when nothing in it has changed. */
function mapChanged<Item>(items: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  const changed = items.map(change);
  return changed.some((item, index) => item !== items[index]) ? changed : items;
}
