export { loadHighlighter } from './highlighter.ts';
