export { type Block, MarkdownStream } from './markdown-stream.ts';
export { renderBlocks } from './render-blocks.ts';
