export { diffPartsOf, type ShownDiff, shownDiffsOf } from './file-diffs.ts';
export { type FieldOption, type FormField, readFields } from './form-fields.ts';
export { type TurnEnding, wordTurnEnd } from './turn-end.ts';
export { wordCost, wordUsage } from './usage.ts';
export { wordBytes, wordCount, wordDuration, wordTokens } from './wording.ts';
