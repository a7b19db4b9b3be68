import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { AppModel } from '../app/app-model.ts';
import { formatRoute, type SessionRoute } from '../app/route.ts';
import { Dialog } from '../parts/dialog.tsx';
import { describeProblem, Problem } from './problem.tsx';
import { findSession, nameOf } from './session-list.ts';

export interface SessionDialogProps {
  readonly model: AppModel;
  readonly route: SessionRoute;
  readonly onClose: () => void;
}

export function RenameDialog({ model, route, onClose }: SessionDialogProps): JSX.Element {
  const { agent, sessionId } = route;
  const [title, setTitle] = useState(findSession(model.sessions.value, agent, sessionId)?.title ?? '');
  const [problem, setProblem] = useState<string>();
  const id = useId();
  const rename = async (): Promise<void> => {
    try {
      await model.connections.rename(agent, sessionId, title.trim());
      await model.refresh();
      onClose();
    } catch (error) {
      setProblem(describeProblem(error));
    }
  };
  return (
    <Dialog title="Rename" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void rename();
        }}
      >
        <label class="label" for={id}>
          Title
        </label>
        <input id={id} class="field" value={title} onInput={(event) => setTitle(event.currentTarget.value)} />
        {problem !== undefined && <Problem text={problem} />}
        <div class="dialog-actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button button-main" disabled={title.trim() === ''}>
            Rename
          </button>
        </div>
      </form>
    </Dialog>
  );
}

export function DeleteDialog({ model, route, onClose }: SessionDialogProps): JSX.Element {
  const { agent, sessionId } = route;
  const [problem, setProblem] = useState<string>();
  const summary = findSession(model.sessions.value, agent, sessionId);
  const remove = async (): Promise<void> => {
    try {
      await model.connections.remove(agent, sessionId);
      await model.refresh();
      onClose();
      // Whoever has gone elsewhere meanwhile stays there.
      if (formatRoute(model.route.value) === formatRoute(route)) model.go({ name: 'home' });
    } catch (error) {
      setProblem(describeProblem(error));
    }
  };
  return (
    <Dialog title="Delete this session?" onClose={onClose}>
      <p>
        “{summary ? nameOf(summary) : sessionId}” and its conversation are gone then. Files that it has changed stay as
        they are.
      </p>
      {problem !== undefined && <Problem text={problem} />}
      <div class="dialog-actions">
        <button type="button" class="button" onClick={onClose}>
          Keep it
        </button>
        <button type="button" class="button button-dangerous" onClick={() => void remove()}>
          Delete
        </button>
      </div>
    </Dialog>
  );
}
