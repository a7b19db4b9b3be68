import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { forgetToken, keepToken, takeToken } from '../connection/token.ts';
import { late } from '../parts/late.tsx';
import { useStore } from '../parts/use-store.ts';
import { AppModel } from './app-model.ts';
import { Shell } from './shell.tsx';
import type { TokenPageProps } from './token-page.tsx';

const TokenPage = late<TokenPageProps>(async () => (await import('./token-page.tsx')).TokenPage);

/** The page: asks for a token where it has none, or a wrong one, and shows the sessions of the server otherwise. */
export function App(): JSX.Element {
  const [token, setToken] = useState(takeToken);
  const choose = (next: string): void => {
    keepToken(next);
    setToken(next);
  };
  const forget = (): void => {
    forgetToken();
    setToken(undefined);
  };
  // A link that is opened in a page that is there already is a new token.
  useEffect(() => {
    const take = (): void => {
      if (location.hash.startsWith('#token=')) setToken(takeToken());
    };
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);
  if (token === undefined) return <TokenPage onToken={choose} />;
  return <ServerPage key={token} token={token} onToken={choose} onForget={forget} />;
}

interface ServerPageProps {
  readonly token: string;
  readonly onToken: (token: string) => void;
  readonly onForget: () => void;
}

function ServerPage({ token, onToken, onForget }: ServerPageProps): JSX.Element {
  const [model] = useState(() => new AppModel(token));
  const server = useStore(model.server);
  useEffect(() => {
    model.start();
    return () => void model.close();
  }, [model]);
  if (server === 'refused') return <TokenPage onToken={onToken} problem="This server does not know that token." />;
  return <Shell model={model} onForget={onForget} />;
}
