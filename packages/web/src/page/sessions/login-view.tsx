import type { AgentConnection } from '@parley/client';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { AppModel } from '../app/app-model.ts';
import { describeLogin, type LoginMethod } from './login-method.ts';
import { describeProblem, Problem } from './problem.tsx';

export interface LoginViewProps {
  readonly model: AppModel;
  readonly agent: string;
  readonly onDone: () => void;
}

/** The ways to log in to an agent, which is nothing out of the ordinary: many want it before the first session. */
export function LoginView({ model, agent, onDone }: LoginViewProps): JSX.Element {
  const [connection, setConnection] = useState<AgentConnection>();
  const [running, setRunning] = useState<string>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    model.connections.of(agent).then(setConnection, (error: unknown) => setProblem(describeProblem(error)));
  }, [model, agent]);
  const methods = (connection?.authMethods ?? []).map(describeLogin);
  const logIn = async (method: LoginMethod): Promise<void> => {
    setRunning(method.id);
    setProblem(undefined);
    try {
      await connection?.authenticate(method.id);
      onDone();
    } catch (error) {
      setProblem(describeProblem(error));
    } finally {
      setRunning(undefined);
    }
  };
  return (
    <section class="login" aria-label="Log in">
      <h2>{agent} wants you to log in</h2>
      {connection && methods.length === 0 && (
        <p>It offers no way over ACP. Log in with its own command on the machine of the server, then try again.</p>
      )}
      <ul class="login-methods">
        {methods.map((method) => (
          <li key={method.id}>
            <strong>{method.name}</strong>
            {method.description !== undefined && <p>{method.description}</p>}
            {method.steps !== undefined && <p class="hint">{method.steps}</p>}
            {method.command !== undefined && <pre class="login-command">{method.command}</pre>}
            {method.isHere && (
              <button type="button" class="button" disabled={running !== undefined} onClick={() => void logIn(method)}>
                {running === method.id ? 'Waiting for the login to end' : 'Log in'}
              </button>
            )}
          </li>
        ))}
      </ul>
      {problem !== undefined && <Problem text={problem} />}
      <button type="button" class="button" onClick={onDone}>
        I have logged in; try again
      </button>
    </section>
  );
}
