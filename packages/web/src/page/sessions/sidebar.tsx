import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SessionSummary } from '../../api/index.ts';
import type { AppModel } from '../app/app-model.ts';
import { formatRoute } from '../app/route.ts';
import { useStore } from '../parts/use-store.ts';
import { filterSessions, formatWhen, nameOf, type SessionList, shortFolder } from './session-list.ts';

export interface SidebarProps {
  readonly model: AppModel;
  readonly waiting: SessionList;
  readonly questions: number;
  readonly onClose: () => void;
  /** What stands at its foot. */
  readonly children: ComponentChildren;
}

/** All sessions of this person, over all agents, and what waits for them. */
export function Sidebar({ model, waiting, questions, onClose, children }: SidebarProps): JSX.Element {
  const sessions = useStore(model.sessions);
  const route = useStore(model.route);
  const server = useStore(model.server);
  const [filter, setFilter] = useState('');
  const found = filterSessions(sessions, filter);
  return (
    <nav class="sidebar" aria-label="Sessions">
      <div class="sidebar-head">
        <a class="button button-main sidebar-new" href={formatRoute({ name: 'new' })}>
          New session
        </a>
        <button type="button" class="button button-plain app-narrow" aria-label="Close the list" onClick={onClose}>
          ×
        </button>
      </div>
      <input
        class="field sessions-filter"
        type="search"
        aria-label="Search sessions"
        placeholder="Search sessions"
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value)}
      />
      {waiting[0] !== undefined && (
        <a class="sidebar-waiting" href={routeOf(waiting[0])}>
          <strong>{questions}</strong> {questions === 1 ? 'question waits' : 'questions wait'} for you
        </a>
      )}
      <ul class="sessions" onKeyDown={moveInList}>
        {found.map((session) => (
          <li key={`${session.agent}/${session.sessionId}`}>
            <SessionLink
              session={session}
              isOpen={
                route.name === 'session' && route.agent === session.agent && route.sessionId === session.sessionId
              }
            />
          </li>
        ))}
      </ul>
      {found.length === 0 && server === 'connected' && (
        <p class="sessions-none">{sessions.length === 0 ? 'No sessions yet.' : `No session has “${filter}”.`}</p>
      )}
      <div class="sidebar-foot">
        <a class="sidebar-link" href={formatRoute({ name: 'inspector', query: new URLSearchParams() })}>
          Inspector
        </a>
        <span class="hint">
          <kbd>Ctrl+K</kbd> <kbd>?</kbd>
        </span>
        {children}
      </div>
    </nav>
  );
}

const WORDS = { running: 'Running', waiting: 'Waiting for you', done: '' } as const;

function SessionLink({ session, isOpen }: { readonly session: SessionSummary; readonly isOpen: boolean }): JSX.Element {
  const { state, agent, cwd, updatedAt } = session;
  return (
    <a
      class={`session session-${state}`}
      href={routeOf(session)}
      title={`${nameOf(session)}\n${agent} in ${cwd}`}
      {...(isOpen && { 'aria-current': 'page' as const })}
    >
      <span class="session-title">{nameOf(session)}</span>
      <span class="session-detail">
        {WORDS[state] === '' ? (
          <span>
            {agent} · {shortFolder(cwd)}
          </span>
        ) : (
          <span class="session-state">{WORDS[state]}</span>
        )}
        <time dateTime={new Date(updatedAt).toISOString()}>{formatWhen(updatedAt)}</time>
      </span>
    </a>
  );
}

function routeOf({ agent, sessionId }: SessionSummary): string {
  return formatRoute({ name: 'session', agent, sessionId });
}

/** Up and down go from one session to the next. */
function moveInList(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a.session')];
  const at = links.indexOf(document.activeElement as HTMLElement);
  links[Math.max(0, Math.min(links.length - 1, at + step))]?.focus();
  event.preventDefault();
}
