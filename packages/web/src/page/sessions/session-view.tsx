import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { AppModel } from '../app/app-model.ts';
import { PANELS, type Panel } from '../app/panels.ts';
import { formatRoute, type SessionRoute } from '../app/route.ts';
import { Composer } from '../composer/composer.tsx';
import { FaultBorder } from '../parts/fault-border.tsx';
import { late } from '../parts/late.tsx';
import { Menu } from '../parts/menu.tsx';
import { useStore } from '../parts/use-store.ts';
import { Questions } from '../questions/questions.tsx';
import { Thread } from '../thread/thread.tsx';
import { LoginView } from './late-login.tsx';
import type { OpenSession } from './open-session.ts';
import { describeProblem, Problem } from './problem.tsx';
import type { SessionDialogProps } from './session-dialogs.tsx';
import { findSession, nameOf, shortFolder } from './session-list.ts';
import { type Opening, useOpenSession } from './use-open-session.ts';

// Loaded when they are asked for.
const loadDialogs = () => import('./session-dialogs.tsx');
const RenameDialog = late<SessionDialogProps>(async () => (await loadDialogs()).RenameDialog);
const DeleteDialog = late<SessionDialogProps>(async () => (await loadDialogs()).DeleteDialog);

export interface SessionViewProps {
  readonly model: AppModel;
  readonly route: SessionRoute;
  /** The panel on the screen. */
  readonly panel: Panel | undefined;
  readonly onMenu: () => void;
  readonly onPanel: (panel: Panel) => void;
}

/** One session: its conversation, questions and composer, and one panel. */
export function SessionView({ model, route, panel, onMenu, onPanel }: SessionViewProps): JSX.Element {
  const sessions = useStore(model.sessions);
  const [opening, retry] = useOpenSession(model, route);
  const summary = findSession(sessions, route.agent, route.sessionId);
  const open = opening.step === 'open' ? opening.open : undefined;
  return (
    <div class="session-view">
      <div class="session-main">
        <header class="app-head">
          <button type="button" class="button button-plain app-narrow" aria-label="Sessions" onClick={onMenu}>
            ☰
          </button>
          <h1 class="session-name">{summary ? nameOf(summary) : 'Session'}</h1>
          <span class="session-where" title={summary?.cwd}>
            {route.agent}
            {summary && ` · ${shortFolder(summary.cwd)}`}
          </span>
          <span class="app-space" />
          <a
            class="button button-plain session-inspect"
            href={formatRoute({
              name: 'inspector',
              query: new URLSearchParams({ agent: route.agent, session: route.sessionId }),
            })}
          >
            Inspect
          </a>
          {PANELS.map((each) => (
            <button
              key={each.id}
              type="button"
              class="button button-plain"
              aria-expanded={each.id === panel?.id}
              aria-controls="panel"
              onClick={() => onPanel(each)}
            >
              {each.title}
            </button>
          ))}
          {open && <SessionMenu model={model} route={route} open={open} />}
        </header>
        <OpeningView model={model} route={route} opening={opening} onRetry={retry} />
      </div>
      <aside class="session-panel" id="panel" aria-label={panel?.title ?? 'Panel'}>
        {open && panel && (
          <FaultBorder what={panel.title}>
            <panel.View open={open} />
          </FaultBorder>
        )}
      </aside>
    </div>
  );
}

interface OpeningViewProps {
  readonly model: AppModel;
  readonly route: SessionRoute;
  readonly opening: Opening;
  readonly onRetry: () => void;
}

function OpeningView({ model, route, opening, onRetry }: OpeningViewProps): JSX.Element {
  const isOpen = opening.step === 'open';
  // Whoever opens a session wants to write; on a screen that is touched the keyboard would hide it.
  useEffect(() => {
    if (isOpen && !matchMedia('(pointer: coarse)').matches)
      document.querySelector<HTMLElement>('.composer-input')?.focus();
  }, [isOpen]);
  switch (opening.step) {
    case 'opening':
      return <p class="app-waiting">Opening the session; {route.agent} may have to start</p>;
    case 'missing':
      return (
        <Problem text="There is no such session here. It was deleted, or belongs to somebody else." onRetry={onRetry} />
      );
    case 'login':
      return <LoginView model={model} agent={route.agent} onDone={onRetry} />;
    case 'failed':
      return <Problem text={describeProblem(opening.error)} onRetry={onRetry} />;
    case 'loading':
    case 'open':
      return (
        <>
          <FaultBorder what="The conversation">
            <Thread open={opening.open} />
          </FaultBorder>
          {isOpen && (
            <>
              <FaultBorder what="The question">
                <Questions open={opening.open} />
              </FaultBorder>
              <FaultBorder what="The composer">
                <Composer open={opening.open} />
              </FaultBorder>
            </>
          )}
        </>
      );
  }
}

interface SessionMenuProps {
  readonly model: AppModel;
  readonly route: SessionRoute;
  readonly open: OpenSession;
}

/** What can be done with the session, as far as the agent can. */
function SessionMenu({ model, route, open }: SessionMenuProps): JSX.Element {
  const [dialog, setDialog] = useState<'rename' | 'delete'>();
  const [problem, setProblem] = useState<string>();
  const { offers } = open.connection;
  const unless = (isOffered: boolean): { readonly problem?: string } =>
    isOffered ? {} : { problem: 'This agent cannot do that.' };
  const fork = async (): Promise<void> => {
    try {
      const forked = await model.connections.fork(route.agent, route.sessionId, open.session.cwd);
      await model.refresh();
      model.show({ agent: route.agent, sessionId: forked });
    } catch (error) {
      setProblem(describeProblem(error));
    }
  };
  return (
    <>
      <Menu
        label="More about this session"
        items={[
          { label: 'Rename', onChoose: () => setDialog('rename'), ...unless(offers.setSessionTitle) },
          { label: 'Fork', onChoose: () => void fork(), ...unless(offers.forkSession) },
          { label: 'Copy link', onChoose: () => void navigator.clipboard?.writeText(location.href) },
          {
            label: 'Delete',
            onChoose: () => setDialog('delete'),
            isDangerous: true,
            ...unless(offers.deleteSession),
          },
        ]}
      />
      {dialog === 'rename' && <RenameDialog model={model} route={route} onClose={() => setDialog(undefined)} />}
      {dialog === 'delete' && <DeleteDialog model={model} route={route} onClose={() => setDialog(undefined)} />}
      {problem !== undefined && <Problem text={problem} />}
    </>
  );
}
