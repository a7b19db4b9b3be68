import type { JSX } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { FaultBorder } from '../parts/fault-border.tsx';
import { late } from '../parts/late.tsx';
import { useStore } from '../parts/use-store.ts';
import { countQuestions, waitingSessions } from '../sessions/session-list.ts';
import { Sidebar } from '../sessions/sidebar.tsx';
import type { AppModel } from './app-model.ts';
import { ConnectionState } from './connection-state.tsx';
import { bindKeys } from './keys.ts';
import type { PaletteProps } from './palette.tsx';
import { PANELS, type Panel, readPanel, savePanel } from './panels.ts';

export interface ShellProps {
  readonly model: AppModel;
  readonly onForget: () => void;
}

type Shown = 'palette' | 'keys' | undefined;
/** On narrow screens one of the outer columns lies over the middle. */
type Drawer = 'sessions' | 'panel' | undefined;

// The session view and the client are most of the page's code; they load with the first session.
const NewSession = late(async () => (await import('../sessions/new-session.tsx')).NewSession);
const SessionView = late(async () => (await import('../sessions/session-view.tsx')).SessionView);
const Palette = late<PaletteProps>(
  async () => (await import('./palette.tsx')).Palette,
  () => null,
);
const KeyHelp = late(async () => (await import('./key-help.tsx')).KeyHelp);
const Inspector = late(async () => (await import('../inspector/inspector.tsx')).Inspector);

/** The three columns: sessions, the open session, and one panel. */
export function Shell({ model, onForget }: ShellProps): JSX.Element {
  const route = useStore(model.route);
  const sessions = useStore(model.sessions);
  const [shown, setShown] = useState<Shown>();
  const [drawer, setDrawer] = useState<Drawer>();
  const [panel, setPanel] = useState(readPanel);
  const waiting = waitingSessions(sessions);
  const questions = countQuestions(sessions);
  const showSessions = useCallback(() => setDrawer('sessions'), []);
  const togglePanel = useCallback(
    (chosen: Panel) => {
      if (matchMedia(NARROW).matches) {
        setPanel(chosen);
        setDrawer(drawer === 'panel' && panel?.id === chosen.id ? undefined : 'panel');
        return;
      }
      const next = panel?.id === chosen.id ? undefined : chosen;
      savePanel(next);
      setPanel(next);
    },
    [panel, drawer],
  );

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
        panels: new Map(PANELS.map((each) => [each.key, () => togglePanel(each)])),
        search: () => {
          setDrawer('sessions');
          document.querySelector<HTMLElement>('.sessions-filter')?.focus();
        },
        closeDrawer: () => setDrawer(undefined),
      }),
    [model, togglePanel],
  );

  return (
    <div class="app" data-drawer={drawer} data-panel={route.name === 'session' ? panel?.id : undefined}>
      <a class="app-skip" href={`${location.hash || '#/'}`} onClick={skipToMain}>
        Skip to the conversation
      </a>
      <Sidebar model={model} waiting={waiting} questions={questions} onClose={() => setDrawer(undefined)}>
        <ConnectionState model={model} />
      </Sidebar>
      <main class="app-main" id="main" tabIndex={-1}>
        {route.name === 'inspector' && (
          <FaultBorder what="The inspector">
            <header class="app-head">
              <button type="button" class="button button-plain app-narrow" aria-label="Sessions" onClick={showSessions}>
                ☰
              </button>
              <h1>Inspector</h1>
            </header>
            <Inspector api={model.api} route={route} />
          </FaultBorder>
        )}
        {route.name === 'session' && (
          <FaultBorder what="The session" key={`${route.agent}/${route.sessionId}`}>
            <SessionView model={model} route={route} panel={panel} onMenu={showSessions} onPanel={togglePanel} />
          </FaultBorder>
        )}
        {(route.name === 'home' || route.name === 'new') && (
          <FaultBorder what="The page">
            <NewSession model={model} route={route} onMenu={showSessions} />
          </FaultBorder>
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
          onPanel={togglePanel}
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
