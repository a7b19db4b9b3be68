import type { SubagentRecord } from '@parley/client';
import type { JSX } from 'preact';
import { visibleLine } from '../text/visible-text.ts';

/** The sessions that the agent has made, and what they do. */
export function Subagents({ subagents }: { readonly subagents: readonly SubagentRecord[] }): JSX.Element | null {
  if (subagents.length === 0) return null;
  return (
    <details class="subagents">
      <summary>Sub-agents ({subagents.length})</summary>
      <ul>
        {subagents.map(({ sessionId, title, description, state }) => (
          <li key={sessionId}>
            <strong>{visibleLine(title ?? sessionId)}</strong>
            {state && <span class="tool-call-note">{visibleLine(state.state.replaceAll('_', ' '))}</span>}
            {description && <span> {visibleLine(description)}</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}
