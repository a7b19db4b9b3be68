import type { ThoughtEntry } from '@parley/client';
import { wordDuration } from '@parley/session/view';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Content } from './content.tsx';
import { Icon } from './icon.tsx';
import { useNow } from './use-now.ts';

interface ThoughtProps {
  readonly entry: ThoughtEntry;
  /** When something else began. */
  readonly endedAt: number | undefined;
  readonly cwd: string;
  readonly isLive: boolean;
}

/** What the agent thought: one line, until somebody wants to read it. */
export function Thought({ entry, endedAt, cwd, isLive }: ThoughtProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const now = useNow(isLive);
  const until = isLive ? now : endedAt;
  const lasted =
    entry.at === undefined || until === undefined || entry.origin === 'replay' ? undefined : until - entry.at;
  const words = isLive ? 'Thinking' : 'Thought';
  return (
    <div class="thought">
      <button type="button" class="thread-fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="fold" />
        {lasted === undefined || lasted < 1000 ? words : `${words} for ${wordDuration(lasted)}`}
      </button>
      {isOpen && (
        <div class="thought-text">
          {[...entry.content].map((block, index) => (
            <Content key={index} block={block} cwd={cwd} isLive={isLive} />
          ))}
        </div>
      )}
    </div>
  );
}
