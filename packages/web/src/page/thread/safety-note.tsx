import type { JSX } from 'preact';
import { visibleText } from '../text/visible-text.ts';
import { readSafety } from './safety.ts';

export interface SafetyNoteProps {
  readonly meta: Readonly<Record<string, unknown>> | null | undefined;
}

/** How much harm a tool call can do and how to undo it, as the agent tells it. */
export function SafetyNote({ meta }: SafetyNoteProps): JSX.Element | null {
  const safety = readSafety(meta);
  if (!safety) return null;
  const { level, undo, instead } = safety;
  return (
    <ul class="safety" aria-label="Safety, as the agent tells it">
      {level && (
        <li class={`safety-level safety-level-${level.number}`}>
          Level {level.number} of 4: {level.means}
        </li>
      )}
      {undo !== undefined && (
        <li>
          <strong>To undo it:</strong> {visibleText(undo)}
        </li>
      )}
      {instead !== undefined && (
        <li>
          <strong>Instead of it:</strong> {visibleText(instead)}
        </li>
      )}
    </ul>
  );
}
