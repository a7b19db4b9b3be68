import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { readToken } from '../connection/token.ts';

export interface TokenPageProps {
  readonly onToken: (token: string) => void;
  readonly problem?: string;
}

/** Asks for the token of the server, and says where it is found. */
export function TokenPage({ onToken, problem }: TokenPageProps): JSX.Element {
  const [text, setText] = useState('');
  const [fault, setFault] = useState(problem);
  const id = useId();
  const submit = (event: Event): void => {
    event.preventDefault();
    const token = readToken(text);
    if (token === undefined) setFault('That is neither a token nor a link with one.');
    else onToken(token);
  };
  return (
    <main class="token-page">
      <form class="token-form" onSubmit={submit}>
        <h1>Parley</h1>
        {fault !== undefined && (
          <p class="token-problem" role="alert">
            {fault}
          </p>
        )}
        <label class="label" for={id}>
          Token of this server
        </label>
        <input
          id={id}
          class="field"
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <p class="hint">
          Paste the link that <code>parley serve</code> has printed, or the token alone. It is in the file that it
          names, and <code>parley serve --open</code> opens the page with it.
        </p>
        <div class="dialog-actions">
          <button type="submit" class="button button-main">
            Open
          </button>
        </div>
      </form>
    </main>
  );
}
