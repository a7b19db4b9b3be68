import type { AssistantPart, ToolCallPart } from '@parley/models/model';
import type { AnswerPart } from './log-marks.ts';

/** What the log shows of an answer: its words and thoughts, joined, and its calls in their order. */
export interface RecordedWords {
  readonly text: string;
  readonly thought: string;
  readonly calls: readonly ToolCallPart[];
}

/** The parts of an answer in their order, each with its share of the words that were shown. */
export function recordedParts(record: readonly AnswerPart[], words: RecordedWords): AssistantPart[] {
  const at = { text: 0, thought: 0 };
  let calls = 0;
  return record.flatMap((part): readonly AssistantPart[] => {
    if (part.type === 'tool_call') {
      const call = words.calls[calls++];
      return call ? [call] : [];
    }
    const { type, length, signature } = part;
    const text = words[type].slice(at[type], at[type] + length);
    at[type] += length;
    return [{ type, text, ...(signature && { signature }) }];
  });
}
