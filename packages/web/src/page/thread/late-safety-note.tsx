import type { ComponentType } from 'preact';
import { late } from '../text/late.tsx';
import type { SafetyNoteProps } from './safety-note.tsx';

/** Loaded with the first tool call of which an agent tells how safe it is. */
export const SafetyNote: ComponentType<SafetyNoteProps> = late(
  async () => (await import('./safety-note.tsx')).SafetyNote,
  () => null,
);
