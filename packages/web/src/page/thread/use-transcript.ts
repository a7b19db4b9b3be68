import type { ClientSession, Transcript } from '@parley/client';
import { useEffect, useState } from 'preact/hooks';

/** How often a conversation is drawn that is told from its beginning: enough to see that it comes, and most of the time is for reading it. */
const REPLAY_PAUSE_MS = 400;

/**
 * The transcript of a session; a view draws it at most once a frame, however much comes meanwhile. Who shows only some parts of it
 * names them, and is drawn when one of these is another. The list must be a constant.
 */
export function useTranscript(session: ClientSession, parts?: readonly (keyof Transcript)[]): Transcript {
  const [seen, setSeen] = useState({ session, transcript: session.transcript });
  useEffect(() => {
    let frame = 0;
    let pause: ReturnType<typeof setTimeout> | undefined;
    let isReplaying = false;
    const draw = (): void => {
      frame = 0;
      const { transcript } = session;
      isReplaying = transcript.isReplaying && transcript.entries.length > 0;
      setSeen((before) => {
        const isSame =
          before.session === session && parts?.every((part) => before.transcript[part] === transcript[part]);
        return isSame ? before : { session, transcript };
      });
    };
    const schedule = (): void => {
      if (frame !== 0 || pause !== undefined) return;
      if (!isReplaying) frame = requestAnimationFrame(draw);
      else {
        pause = setTimeout(() => {
          pause = undefined;
          frame = requestAnimationFrame(draw);
        }, REPLAY_PAUSE_MS);
      }
    };
    schedule();
    const stop = session.on('change', schedule);
    return () => {
      stop();
      clearTimeout(pause);
      cancelAnimationFrame(frame);
    };
  }, [session, parts]);
  return seen.session === session ? seen.transcript : session.transcript;
}
