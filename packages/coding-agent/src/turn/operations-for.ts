import type { Operations, SeenFiles, SessionOperations, TaskOperations } from '../operations/operations.ts';
import type { WebOptions } from '../operations/web/web.ts';
import { createOperations } from './create-operations.ts';
import { type SearchContext, webSearchOperations } from './search-web.ts';

export interface OperationsContext extends SearchContext {
  readonly web?: WebOptions;
}

export interface OwnOperations {
  readonly session: SessionOperations;
  readonly tasks: TaskOperations;
}

/** What the tools of a turn touch the world with. */
export function operationsFor(context: OperationsContext, { session, tasks }: OwnOperations): Operations {
  const { turn, coding } = context;
  return createOperations({
    ...commonOptions(context),
    session,
    seen: coding.seen,
    agents: { call: async (request) => (await coding.agentPool()).call(turn, request) },
    tasks,
  });
}

/** The same for a sub-agent: it has seen no file yet, speaks to nobody but its parent, and starts no further agents. */
export function taskOperationsFor(context: OperationsContext, seen: SeenFiles): Operations {
  const none = async (): Promise<{ readonly text: string; readonly isError: true }> => ({
    text: 'A sub-agent cannot do this.',
    isError: true,
  });
  return createOperations({
    ...commonOptions(context),
    session: { plan: () => {}, exitPlanMode: async () => false },
    seen,
    agents: { call: none },
    tasks: { run: none },
  });
}

function commonOptions(context: OperationsContext) {
  const { turn, coding, web } = context;
  return {
    webSearch: webSearchOperations(context),
    client: turn.client,
    signal: turn.signal,
    files: coding.files,
    sandbox: coding.sandbox,
    outputs: coding.outputs,
    background: coding.background,
    roots: turn.session.roots,
    ...(web && { web }),
    onStart: coding.keepRunning.bind(coding),
  };
}
