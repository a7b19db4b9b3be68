import { useCallback, useEffect, useState } from 'preact/hooks';
import type { AppModel } from '../app/app-model.ts';
import type { SessionRoute } from '../app/route.ts';
import type { OpenSession } from './open-session.ts';
import { isAuthRequired } from './problem.tsx';
import { findSession } from './session-list.ts';

export type Opening =
  | { readonly step: 'opening' }
  /** Its conversation is being told; nothing can be asked of it yet. */
  | { readonly step: 'loading'; readonly open: OpenSession }
  | { readonly step: 'open'; readonly open: OpenSession }
  | { readonly step: 'missing' }
  | { readonly step: 'login' }
  | { readonly step: 'failed'; readonly error: unknown };

/** Opens the session of a route; `retry` begins anew. One that was opened before is there at once. */
export function useOpenSession(model: AppModel, route: SessionRoute): readonly [Opening, retry: () => void] {
  const { agent, sessionId } = route;
  const [opening, setOpening] = useState<Opening>({ step: 'opening' });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isOver = false;
    const show = (next: Opening): void => {
      if (!isOver) setOpening(next);
    };
    const onOpening = (open: OpenSession): void => show({ step: 'loading', open });
    openSession(model, { agent, sessionId, onOpening }).then(
      (open) => {
        show(open ? { step: 'open', open } : { step: 'missing' });
        // A connection that has ended for good takes its sessions with it.
        void open?.connection.closed.then((error) =>
          show({ step: 'failed', error: error ?? new Error('The connection was closed.') }),
        );
      },
      (error: unknown) => show(isAuthRequired(error) ? { step: 'login' } : { step: 'failed', error }),
    );
    return () => {
      isOver = true;
    };
  }, [model, agent, sessionId, attempt]);
  const retry = useCallback(() => {
    setOpening({ step: 'opening' });
    setAttempt((before) => before + 1);
  }, []);
  return [opening, retry];
}

interface OpenRequest {
  readonly agent: string;
  readonly sessionId: string;
  readonly onOpening: (open: OpenSession) => void;
}

async function openSession(
  model: AppModel,
  { agent, sessionId, onOpening }: OpenRequest,
): Promise<OpenSession | undefined> {
  const known =
    findSession(model.sessions.value, agent, sessionId) ?? findSession(await model.refresh(), agent, sessionId);
  return known && model.connections.open(agent, sessionId, known.cwd, onOpening);
}
