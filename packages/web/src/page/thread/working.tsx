import type { Transcript } from '@parley/client';
import { wordDuration } from '@parley/session/view';
import type { JSX } from 'preact';
import { Icon } from './icon.tsx';
import { useNow } from './use-now.ts';

/** What the agent does now, in a line at the end. */
export function Working({ transcript }: { readonly transcript: Transcript }): JSX.Element | null {
  const { state, turns, isReplaying } = transcript;
  const isWorking = state === 'running' || state === 'cancelling' || state === 'waiting';
  const now = useNow(isWorking);
  if (isReplaying) return <p class="working">Loading the conversation</p>;
  if (!isWorking) return null;
  const startedAt = turns.at(-1)?.startedAt;
  const words = state === 'cancelling' ? 'Stopping' : state === 'waiting' ? 'Waiting for you' : 'Working';
  return (
    <p class={`working working-${state}`}>
      <Icon name={state === 'waiting' ? 'pending' : 'running'} />
      {words}
      {startedAt !== undefined && now - startedAt >= 1000 && (
        <span class="working-time">{wordDuration(now - startedAt)}</span>
      )}
    </p>
  );
}
