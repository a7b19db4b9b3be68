import type { ClientSession, Transcript } from '@parley/client';
import { useEffect, useState } from 'preact/hooks';

/** The transcript of a session; a view draws it at most once a frame, however much comes meanwhile. */
export function useTranscript(session: ClientSession): Transcript {
  const [seen, setSeen] = useState({ session, transcript: session.transcript });
  useEffect(() => {
    let frame = 0;
    const draw = (): void => {
      frame = 0;
      setSeen({ session, transcript: session.transcript });
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
  }, [session]);
  return seen.session === session ? seen.transcript : session.transcript;
}
