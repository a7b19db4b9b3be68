import type { ClientSession, Transcript } from '@parley/client';
import { useEffect, useState } from 'preact/hooks';

/**
 * The transcript of a session; a view draws it at most once a frame, however much comes meanwhile. Who shows only some parts of it
 * names them, and is drawn when one of these is another. The list must be a constant.
 */
export function useTranscript(session: ClientSession, parts?: readonly (keyof Transcript)[]): Transcript {
  const [seen, setSeen] = useState({ session, transcript: session.transcript });
  useEffect(() => {
    let frame = 0;
    const draw = (): void => {
      frame = 0;
      const { transcript } = session;
      setSeen((before) => {
        const isSame =
          before.session === session && parts?.every((part) => before.transcript[part] === transcript[part]);
        return isSame ? before : { session, transcript };
      });
    };
    const schedule = (): void => {
      if (frame === 0) frame = requestAnimationFrame(draw);
    };
    schedule();
    const stop = session.on('change', schedule);
    return () => {
      stop();
      cancelAnimationFrame(frame);
    };
  }, [session, parts]);
  return seen.session === session ? seen.transcript : session.transcript;
}
