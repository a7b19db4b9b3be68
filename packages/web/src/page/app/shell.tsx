import type { JSX } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { Late } from '../parts/late.tsx';
import { useStore } from '../parts/use-store.ts';
import { countQuestions, waitingSessions } from '../sessions/session-list.ts';
import { Sidebar } from '../sessions/sidebar.tsx';
import type { AppModel } from './app-model.ts';
import { ConnectionState } from './connection-state.tsx';
import type { Drawer } from './drawer.ts';
import { KeyHelp } from './key-help.tsx';
import { bindKeys } from './keys.ts';
import { LateInspector } from './late-inspector.tsx';
import { Palette } from './palette.tsx';

export interface ShellProps {
  readonly model: AppModel;
  readonly onForget: () => void;
}

type Shown = 'palette' | 'keys' | undefined;
const CHANGES_KEY = 'parley.changes';

/** What shows a session, and the client itself, are most of the page; whoever opens a session loads them. */
const loadNewSession = async () => (await import('../sessions/new-session.tsx')).NewSession;
const loadSessionView = async () => (await import('../sessions/session-view.tsx')).SessionView;

/** The three columns: sessions, the one that is open, and its changes. */
export function Shell({ model, onForget }: ShellProps): JSX.Element {
  const route = useStore(model.route);
  const sessions = useStore(model.sessions);
  const [shown, setShown] = useState<Shown>();
  const [drawer, setDrawer] = useState<Drawer>();
  const [hasChanges, setChanges] = useState(localStorage.getItem(CHANGES_KEY) !== 'hidden');
  const waiting = waitingSessions(sessions);
  const questions = countQuestions(sessions);
  const toggleChanges = useCallback(() => {
    if (matchMedia(NARROW).matches) return setDrawer((before) => (before === 'changes' ? undefined : 'changes'));
    setChanges((before) => {
      localStorage.setItem(CHANGES_KEY, before ? 'hidden' : 'shown');
      return !before;
    });
  }, []);

  useEffect(() => {
    document.title = questions > 0 ? `(${questions}!) Parley` : 'Parley';
  }, [questions]);
  // Whoever goes somewhere wants to see it.
  useEffect(() => setDrawer(undefined), [route]);
  useEffect(
    () =>
      bindKeys({
        palette: () => setShown((before) => (before === 'palette' ? undefined : 'palette')),
        help: () => setShown('keys'),
        inspector: () => model.go({ name: 'inspector', query: inspectorQuery(model) }),
        newSession: () => model.go({ name: 'new' }),
        approvals: () => {
          const [first] = waitingSessions(model.sessions.value);
          if (first) model.show(first);
        },
        changes: toggleChanges,
        search: () => {
          setDrawer('sessions');
          document.querySelector<HTMLElement>('.sessions-filter')?.focus();
        },
        closeDrawer: () => setDrawer(undefined),
      }),
    [model, toggleChanges],
  );

  return (
    <div class="app" data-drawer={drawer} data-changes={hasChanges && route.name === 'session'}>
      <a class="app-skip" href={`${location.hash || '#/'}`} onClick={skipToMain}>
        Skip to the conversation
      </a>
      <Sidebar model={model} waiting={waiting} questions={questions} onClose={() => setDrawer(undefined)}>
        <ConnectionState model={model} />
      </Sidebar>
      <main class="app-main" id="main" tabIndex={-1}>
        {route.name === 'inspector' && (
          <LateInspector api={model.api} route={route} onMenu={() => setDrawer('sessions')} />
        )}
        {route.name === 'session' && (
          <Late
            key={`${route.agent}/${route.sessionId}`}
            what="the session"
            load={loadSessionView}
            props={{
              model,
              route,
              hasChanges: hasChanges || drawer === 'changes',
              drawer,
              onMenu: () => setDrawer('sessions'),
              onChanges: toggleChanges,
            }}
          />
        )}
        {(route.name === 'home' || route.name === 'new') && (
          <Late what="the page" load={loadNewSession} props={{ model, route, onMenu: () => setDrawer('sessions') }} />
        )}
      </main>
      {drawer !== undefined && (
        <button type="button" class="app-shade" aria-label="Close" tabIndex={-1} onClick={() => setDrawer(undefined)} />
      )}
      {shown === 'palette' && (
        <Palette
          model={model}
          onClose={() => setShown(undefined)}
          onHelp={() => setShown('keys')}
          onForget={onForget}
          onChanges={toggleChanges}
        />
      )}
      {shown === 'keys' && <KeyHelp onClose={() => setShown(undefined)} />}
      <Status model={model} />
    </div>
  );
}

const NARROW = '(max-width: 1020px)';

function skipToMain(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function inspectorQuery(model: AppModel): URLSearchParams {
  const route = model.route.value;
  if (route.name !== 'session') return new URLSearchParams();
  return new URLSearchParams({ agent: route.agent, session: route.sessionId });
}

/** What has happened, for those who hear the page. */
function Status({ model }: { readonly model: AppModel }): JSX.Element {
  const status = useStore(model.status);
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {status}
    </div>
  );
}
