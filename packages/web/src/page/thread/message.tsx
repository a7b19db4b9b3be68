import type { MessageEntry } from '@parley/client';
import type { JSX } from 'preact';
import { CopyButton } from '../text/copy-button.tsx';
import { Content } from './content.tsx';

interface MessageProps {
  readonly entry: MessageEntry;
  readonly agent: string;
  readonly cwd: string;
  readonly isLive: boolean;
}

/** What one side said. */
export function Message({ entry, agent, cwd, isLive }: MessageProps): JSX.Element {
  const isUser = entry.speaker === 'user';
  const blocks = [...entry.content];
  return (
    <article class={isUser ? 'message message-user' : 'message message-agent'} tabIndex={-1}>
      <header class="message-head">
        <h2 class="message-speaker">{isUser ? 'You' : agent}</h2>
        {entry.at !== undefined && entry.origin === 'live' && <Time at={entry.at} />}
        {entry.text !== '' && !isLive && <CopyButton text={entry.text} what="message" />}
      </header>
      <div class="message-body">
        {blocks.map((block, index) => (
          <Content
            key={index}
            block={block}
            cwd={cwd}
            isPlain={isUser}
            isLive={isLive && index === blocks.length - 1}
          />
        ))}
      </div>
    </article>
  );
}

export function Time({ at }: { readonly at: number }): JSX.Element {
  const date = new Date(at);
  return (
    <time class="message-time" dateTime={date.toISOString()} title={WHOLE.format(date)}>
      {SHORT.format(date)}
    </time>
  );
}

// Made once: to make one takes longer than to draw a message.
const WHOLE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const SHORT = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
