import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { AppModel } from '../app/app-model.ts';
import type { HomeRoute, NewRoute } from '../app/route.ts';
import { useStore } from '../parts/use-store.ts';
import { LoginView } from './late-login.tsx';
import { describeProblem, isAuthRequired, Problem } from './problem.tsx';

export interface NewSessionProps {
  readonly model: AppModel;
  readonly route: NewRoute | HomeRoute;
  readonly onMenu: () => void;
}

type Progress =
  | { readonly step: 'choosing' }
  | { readonly step: 'starting' }
  | { readonly step: 'login'; readonly agent: string }
  | { readonly step: 'failed'; readonly error: unknown };

const MAX_RECENT = 5;

/** Where a session begins: with an agent and a folder. */
export function NewSession({ model, route, onMenu }: NewSessionProps): JSX.Element {
  const known = useStore(model.agents);
  const server = useStore(model.server);
  const sessions = useStore(model.sessions);
  const given: Partial<NewRoute> = route.name === 'new' ? route : {};
  const [agent, setAgent] = useState(given.agent);
  const [folder, setFolder] = useState(given.cwd);
  const [progress, setProgress] = useState<Progress>({ step: 'choosing' });
  const cwd = folder ?? known?.cwd ?? '';
  const chosen = agent ?? known?.agents.find(({ isDefault }) => isDefault)?.name ?? '';
  const recent = [...new Set(sessions.map((session) => session.cwd))]
    .filter((each) => each !== cwd)
    .slice(0, MAX_RECENT);
  const start = async (): Promise<void> => {
    setProgress({ step: 'starting' });
    try {
      const open = await model.connections.create(chosen, cwd.trim());
      await model.refresh();
      model.show({ agent: chosen, sessionId: open.session.id });
    } catch (error) {
      setProgress(isAuthRequired(error) ? { step: 'login', agent: chosen } : { step: 'failed', error });
    }
  };
  return (
    <>
      <header class="app-head">
        <button type="button" class="button button-plain app-narrow" aria-label="Sessions" onClick={onMenu}>
          ☰
        </button>
        <h1>New session</h1>
      </header>
      <div class="new-session">
        {known === undefined && (
          <p class="app-waiting">{server === 'lost' ? 'The server does not answer.' : 'Connecting'}</p>
        )}
        {known && (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void start();
            }}
          >
            <fieldset class="new-agents">
              <legend class="label">Agent</legend>
              {known.agents.map(({ name, isDefault }) => (
                <label key={name} class="new-agent">
                  <input
                    type="radio"
                    name="agent"
                    value={name}
                    checked={name === chosen}
                    onChange={() => setAgent(name)}
                  />
                  <span>{name}</span>
                  {isDefault && <small>default</small>}
                </label>
              ))}
            </fieldset>
            <FolderField model={model} value={cwd} onChange={setFolder} />
            {recent.length > 0 && (
              <ul class="new-recent" aria-label="Folders of other sessions">
                {recent.map((each) => (
                  <li key={each}>
                    <button type="button" class="button" onClick={() => setFolder(each)}>
                      {each}
                    </button>
                  </li>
                ))}
              </ul>
            )}
            <div class="new-actions">
              <button
                type="submit"
                class="button button-main"
                disabled={progress.step === 'starting' || server !== 'connected' || cwd.trim() === ''}
              >
                {progress.step === 'starting' ? `Starting ${chosen}` : 'Start'}
              </button>
            </div>
          </form>
        )}
        {progress.step === 'failed' && <Problem text={describeProblem(progress.error)} onRetry={() => void start()} />}
        {progress.step === 'login' && <LoginView model={model} agent={progress.agent} onDone={() => void start()} />}
      </div>
    </>
  );
}

interface FolderFieldProps {
  readonly model: AppModel;
  readonly value: string;
  readonly onChange: (folder: string) => void;
}

/** A folder of the server's machine; what is typed is completed. */
function FolderField({ model, value, onChange }: FolderFieldProps): JSX.Element {
  const [folders, setFolders] = useState<readonly string[]>([]);
  const asking = useRef<AbortController>(null);
  const id = useId();
  useEffect(() => () => asking.current?.abort(), []);
  const complete = async (text: string): Promise<void> => {
    asking.current?.abort();
    const controller = new AbortController();
    asking.current = controller;
    const found = await model.api.folders(text, controller.signal).catch(() => undefined);
    if (found && !controller.signal.aborted) setFolders(found.folders);
  };
  return (
    <div class="new-folder">
      <label class="label" for={id}>
        Folder
      </label>
      <input
        id={id}
        class="field"
        list={`${id}-folders`}
        spellcheck={false}
        autocomplete="off"
        value={value}
        onFocus={() => void complete(value)}
        onInput={(event) => {
          onChange(event.currentTarget.value);
          void complete(event.currentTarget.value);
        }}
      />
      <datalist id={`${id}-folders`}>
        {folders.map((folder) => (
          <option key={folder} value={folder} />
        ))}
      </datalist>
      <p class="hint">A folder on the machine of the server. The agent works there.</p>
    </div>
  );
}
