import type { ModelPrice } from '../model/cost.ts';
import type { AcceptedContent, ThinkingLevel } from '../model/model.ts';
import type { KnownModel } from './catalog.ts';
import type { ModelSettings } from './provider-settings.ts';

/** What is known of a model, from whoever says it. */
export interface ModelFacts {
  readonly name?: string;
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  readonly thinkingLevels?: readonly ThinkingLevel[];
  readonly accepts?: AcceptedContent;
  readonly price?: ModelPrice;
}

/** Joins facts; where several say something, the first counts. */
export function joinFacts(...all: readonly (ModelFacts | undefined)[]): ModelFacts {
  return Object.assign({}, ...all.toReversed()) as ModelFacts;
}

export function factsOfSettings({
  name,
  contextWindow,
  maxOutputTokens,
  thinking,
  input,
  price,
}: ModelSettings): ModelFacts {
  return {
    ...(name !== undefined && { name }),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(thinking && { thinkingLevels: thinking }),
    ...(input && {
      accepts: { images: input.includes('image'), audio: input.includes('audio'), documents: input.includes('pdf') },
    }),
    ...(price && { price }),
  };
}

export function factsOfKnown({ name, contextWindow, maxOutputTokens, thinkingLevels, price }: KnownModel): ModelFacts {
  return {
    name,
    thinkingLevels,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(price && { price }),
  };
}
