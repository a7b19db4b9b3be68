import type { ComponentType } from 'preact';
import { late } from '../../parts/late.tsx';
import type { MarkdownProps } from './markdown.tsx';

/** Markdown as it was written, until what reads it is loaded with the first text of an agent. */
export const Markdown: ComponentType<MarkdownProps> = late(
  async () => (await import('./markdown.tsx')).Markdown,
  ({ text }) => <div class="text text-source">{text}</div>,
);
