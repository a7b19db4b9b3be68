/** Small functions for whoever writes or reads messages by hand. The runtimes need few of them, so they load apart. */
export { allowsUpdate } from './capabilities.ts';
export {
  audioBlock,
  type BlockOptions,
  blobResourceBlock,
  imageBlock,
  linkBlock,
  nameOfUri,
  textBlock,
  textResourceBlock,
} from './content/blocks.ts';
export { fileUri, pathOfFileUri } from './content/file-uri.ts';
export { type PromptFile, promptWithFiles, promptWithImage } from './content/prompt.ts';
export { type Speaker, textOfContent, textOfUpdates } from './content/text.ts';
export { entriesWithStatus, latestPlan, planEntry, planProgress } from './plan.ts';
export { summarizeUpdates, type UpdateSummary } from './summary.ts';
export { diffsOf } from './tool-calls/content.ts';
export {
  applyToolCallUpdate,
  filterToolCalls,
  hasFailedToolCall,
  isFinalStatus,
  latestToolCalls,
  type ToolCallFilter,
  toolCallStatus,
} from './tool-calls/tool-calls.ts';
