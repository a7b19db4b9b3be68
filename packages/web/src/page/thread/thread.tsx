import type { Transcript } from '@parley/client';
import { wordCount } from '@parley/session/view';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { OpenSession } from '../sessions/open-session.ts';
import { Announcements } from './announcements.tsx';
import { CHUNK_SIZE, Chunk } from './chunk.tsx';
import { EndFollower } from './end-follower.ts';
import { nameOf } from './entry-view.tsx';
import { moveAmong } from './move-among.ts';
import { NearWatch } from './near-watch.ts';
import { Plan } from './plan.tsx';
import { useTranscript } from './use-transcript.ts';
import { Working } from './working.tsx';

/** The conversation of a session, from what was said first to what the agent does now. */
export function Thread({ open }: { readonly open: OpenSession }): JSX.Element {
  // Another session is another conversation: nothing of the view goes over.
  return <Conversation key={open.session.id} open={open} />;
}

function Conversation({ open }: { readonly open: OpenSession }): JSX.Element {
  const transcript = useTranscript(open.session);
  const { scroller, content, onScroll, isAway, countNew, followEnd } = useEnd(transcript);
  const watch = useRef<NearWatch>(undefined);
  watch.current ??= new NearWatch();
  useEffect(() => {
    const { current } = watch;
    if (scroller.current) current?.start(scroller.current);
    return () => current?.stop();
  }, [scroller]);
  const { cwd } = open.session;
  return (
    <section class="thread" aria-label="Conversation" onKeyDown={moveAmong}>
      {transcript.plans.length > 0 && (
        <div class="thread-pinned">
          {transcript.plans.map((plan, index) => (
            <Plan key={plan.planId ?? index} plan={plan} isNamed={transcript.plans.length > 1} cwd={cwd} />
          ))}
        </div>
      )}
      <div ref={scroller} class="thread-scroll" onScroll={onScroll} {...LOG}>
        <div ref={content} class="thread-content">
          {transcript.entries.length === 0 && !transcript.isReplaying && <Empty open={open} />}
          {drawChunks(open, transcript, watch.current)}
          <Working transcript={transcript} />
        </div>
      </div>
      {isAway && (
        <button type="button" class="thread-pill" onClick={followEnd}>
          ↓ {countNew > 0 ? `${countNew} new` : 'End'}
          <span class="visually-hidden">: go to the end</span>
        </button>
      )}
      <Announcements transcript={transcript} />
    </section>
  );
}

/** A log that speaks by itself would read every piece; `Announcements` says what is finished. */
const LOG = { role: 'log', 'aria-live': 'off', 'aria-label': 'Messages', tabIndex: 0 } as const;

function drawChunks(open: OpenSession, transcript: Transcript, watch: NearWatch): JSX.Element[] {
  const { length } = transcript.entries;
  const chunks: JSX.Element[] = [];
  for (let start = 0; start < length; start += CHUNK_SIZE) {
    const end = Math.min(length, start + CHUNK_SIZE);
    chunks.push(
      <Chunk
        key={start}
        open={open}
        transcript={transcript}
        start={start}
        end={end}
        isAtEnd={length - end < CHUNK_SIZE}
        watch={watch}
      />,
    );
  }
  return chunks;
}

/** Keeps the view at the end while the reader is there, and counts what comes while the reader is not. */
function useEnd(transcript: Transcript) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follower = useRef<EndFollower>(undefined);
  follower.current ??= new EndFollower();
  const [isAway, setAway] = useState(false);
  const turns = useRef(transcript.turns.length);
  const toEnd = (): void => {
    const { current } = scroller;
    if (current && follower.current?.isFollowing) current.scrollTop = current.scrollHeight;
  };
  const followEnd = (): void => {
    follower.current?.follow();
    setAway(false);
    toEnd();
    scroller.current?.focus({ preventScroll: true });
  };
  useLayoutEffect(() => {
    if (transcript.turns.length > turns.current) {
      follower.current?.follow();
      setAway(false);
    }
    turns.current = transcript.turns.length;
    toEnd();
  }, [transcript]);
  useEffect(() => {
    // Pictures, colours of code and folds change heights without any event of the session.
    const observer = new ResizeObserver(toEnd);
    for (const element of [scroller.current, content.current]) if (element) observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const onScroll = (): void => {
    if (!scroller.current || !follower.current) return;
    follower.current.onScroll(scroller.current);
    setAway(!follower.current.isFollowing);
  };
  const countNew = follower.current.countNew(transcript.entries.length);
  return { scroller, content, onScroll, isAway, countNew, followEnd };
}

function Empty({ open }: { readonly open: OpenSession }): JSX.Element {
  const { commands } = open.session.transcript;
  return (
    <div class="thread-empty">
      <p class="thread-empty-title">{nameOf(open)}</p>
      <p>
        in <code>{open.session.cwd}</code>
      </p>
      <p>
        Say what you want below. Type <kbd>@</kbd> for a file
        {commands.length > 0 && (
          <>
            {' '}
            and <kbd>/</kbd> for {wordCount(commands.length, 'command')}
          </>
        )}
        .
      </p>
    </div>
  );
}
