export { chooseMarks, type Marks } from './marks.ts';
export { cutPrompt, type PastTurn } from './past-turns.ts';
export { tellLosses, wordNoStream } from './tell-losses.ts';
export { TextWriter, type TextWriterOptions } from './text-writer.ts';
export type { ViewOptions } from './view-options.ts';
