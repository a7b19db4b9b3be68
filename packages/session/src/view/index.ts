export {
  type AskedFor,
  type AskedForOptions,
  type AskedInput,
  type AskedRequest,
  COMMAND_FOLD,
  readAskedFor,
  TEXT_FOLD,
} from './asked-for.ts';
export { diffPartsOf, type ShownDiff, shownDiffsOf } from './file-diffs.ts';
export { type FoldedText, type FoldLimits, foldText, wordHidden } from './fold-text.ts';
export { type FieldOption, type FormField, readFields } from './form-fields.ts';
export { type TurnEnding, wordTurnEnd } from './turn-end.ts';
export { wordCost, wordUsage } from './usage.ts';
export { wordBytes, wordCount, wordDuration, wordTokens } from './wording.ts';
