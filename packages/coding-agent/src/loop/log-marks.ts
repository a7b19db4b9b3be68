import type { WithMeta } from '@parley/protocol';

type Meta = Record<string, unknown>;

const ANSWER = 'parley/answer';
const ASIDE = 'parley/aside';

/** Marks what came of one answer of the model, so that its calls are told from those of the next answer. */
export function answerMark(answer: number): Meta {
  return { [ANSWER]: answer };
}

export function readAnswerNumber({ meta }: WithMeta): number | undefined {
  const answer = meta?.[ANSWER];
  return typeof answer === 'number' ? answer : undefined;
}

/** Marks what the agent tells the person beside the conversation; the model never hears of it. */
export const ASIDE_MARK: Readonly<Meta> = { [ASIDE]: true };

export function isAside({ meta }: WithMeta): boolean {
  return meta?.[ASIDE] === true;
}

/** The id that the runtime logs a turn's prompt under. */
export function messageIdOfPrompt(turnId: string): string {
  return `prompt-${turnId}`;
}
