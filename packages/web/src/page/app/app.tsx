import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Changes } from '../changes/changes.tsx';
import { Composer } from '../composer/composer.tsx';
import { createApi } from '../connection/api.ts';
import { Connections } from '../connection/connections.ts';
import { takeToken } from '../connection/token.ts';
import { Questions } from '../questions/questions.tsx';
import type { OpenSession } from '../sessions/open-session.ts';
import { Thread } from '../thread/thread.tsx';

export function App(): JSX.Element {
  const [open, setOpen] = useState<OpenSession>();
  const [problem, setProblem] = useState('');
  useEffect(() => {
    const token = takeToken();
    if (token === undefined) return setProblem('This page needs the link that the server has printed.');
    const { origin } = location;
    const api = createApi({ origin, token });
    const connections = new Connections({ api, origin, token, onChange: () => {} });
    const start = async (): Promise<void> => {
      const { agents, cwd } = await api.agents();
      const agent = agents.find(({ isDefault }) => isDefault)?.name ?? '';
      setOpen(await connections.create(agent, cwd));
    };
    start().catch((error: Error) => setProblem(error.message));
  }, []);
  if (!open) return <main class="app-main">{problem === '' ? 'Connecting' : problem}</main>;
  return (
    <main class="app-main">
      <Thread open={open} />
      <Questions open={open} />
      <Composer open={open} />
      <Changes open={open} />
    </main>
  );
}
