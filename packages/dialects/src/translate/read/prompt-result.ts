import { type Fields, isRecord, without } from '../../fields.ts';
import type { TranslationContext } from '../context.ts';
import { keepFacts, restore } from '../kept-facts.ts';
import { DIALECT_LIMITS, note } from '../state.ts';
import { contentOf, unsaid } from '../turn-content.ts';
import { readContentBlock } from './content.ts';

/** What a prompt's result becomes: the part of the answer that was not streamed, and the canonical result. */
export interface PromptAnswer {
  readonly unsaid: readonly unknown[];
  readonly result: Fields;
}

/** S0:162 answers with the whole content and no stop reason; S2:315 with the session's id and messages. */
export function readPromptResult(result: Fields, context: TranslationContext): PromptAnswer {
  const { request, state } = context;
  const { content, messages, sessionId, ...rest } = result;
  if (sessionId !== undefined && sessionId !== request.params.sessionId) {
    note(state, 'D49', 'The answer to a prompt names another session than the prompt did.');
  }
  const read = restore(rest.stopReason === undefined ? withStopReason(rest, content) : rest);
  if (Array.isArray(content)) return { unsaid: unsaidContent(content, context), result: read };
  if (Array.isArray(messages))
    return { unsaid: unsaidMessages(messages, context), result: keepFacts(read, { messages }) };
  return { unsaid: [], result: read };
}

function withStopReason(result: Fields, content: unknown): Fields {
  if (!Array.isArray(content)) return result;
  return keepFacts({ ...result, stopReason: 'end_turn' }, { derived: ['stopReason'] });
}

function unsaidContent(content: readonly unknown[], { session }: TranslationContext): readonly unknown[] {
  const blocks = content.map(readContentBlock);
  return session.turn ? unsaid(session.turn, blocks, DIALECT_LIMITS.maxTurnCharacters) : blocks;
}

/** The messages repeat a turn that was streamed; where nothing was, they are all there is. */
function unsaidMessages(messages: readonly unknown[], { session }: TranslationContext): readonly unknown[] {
  if (session.turn && contentOf(session.turn).length > 0) return [];
  return messages.flatMap((message) => (isRecord(message) && message.role !== 'user' ? blocksOf(message.content) : []));
}

function blocksOf(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return (Array.isArray(content) ? content : [content]).filter(isRecord).map(readContentBlock);
}

/** S0:313 may answer a cancelled prompt with an error; canonically a cancelled turn is a result. */
export function isCancelledTurn(error: Fields, { session }: TranslationContext): boolean {
  return error.code === -32800 && session.turn?.isCancelled === true;
}

export function cancelledResult(error: Fields): Fields {
  return keepFacts({ stopReason: 'cancelled' }, { error: without(error, 'data') });
}
