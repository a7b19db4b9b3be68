import type { ConnectOptions, PermissionHandler } from '@parley/client';
import type { CliContext } from '../context.ts';
import { CliError } from '../errors.ts';
import { printableLine } from '../output/printable.ts';
import type { Interruption } from '../run/interruption.ts';
import type { RunSettings } from '../run/run-settings.ts';

export interface AskPersonOptions {
  readonly settings: RunSettings;
  readonly interruption: Interruption;
  readonly say: (text: string) => void;
}

/** How the agent's questions are answered. */
export interface Answers extends Pick<ConnectOptions, 'elicitation' | 'extensions'> {
  readonly ask?: PermissionHandler;
}

/** By the person, where one is at the terminal; otherwise as the settings say, and with a no to everything else. */
export async function askPerson(
  { settings, interruption, say }: AskPersonOptions,
  context: CliContext,
): Promise<Answers> {
  const { mayAsk, whenAlone } = settings.permissions;
  const isThere = context.stdin.isTTY === true && context.stderr.isTTY === true && settings.format !== 'json';
  if (!isThere) {
    return {
      ...(mayAsk && { ask: whenNobodyIsThere(whenAlone, interruption.end) }),
      extensions: { requests: { 'elicitation/create': declineFor(say) } },
    };
  }
  const [{ createTerminalTalk }, { askPermissionIn }, { askFormIn, askToVisitIn }] = await Promise.all([
    import('./terminal-talk.ts'),
    import('./ask-permission.ts'),
    import('./ask-elicitation.ts'),
  ]);
  const talk = createTerminalTalk(context);
  return {
    ...(mayAsk && { ask: askPermissionIn(talk) }),
    elicitation: {
      form: askFormIn(talk),
      url: askToVisitIn(talk),
      onComplete: () => say('the agent says that what it sent you to the browser for is done'),
    },
  };
}

/** What to do with a permission that nobody can give. */
function whenNobodyIsThere(whenAlone: 'deny' | 'fail', end: (error: CliError) => void): PermissionHandler {
  return ({ toolCall, because = '' }) => {
    if (whenAlone === 'deny') return 'reject';
    end(
      new CliError(
        'permission_denied',
        `The agent asks for permission and nobody can be asked: ${toolCall.title ?? toolCall.toolCallId}. ${because}`,
        {
          next: ["--allow 'Bash(npm test)'   (a rule)", '--approve-all', '--non-interactive-permissions deny'],
        },
      ),
    );
    return 'cancel';
  };
}

/** We offer no forms when nobody can fill them in. An agent that asks all the same gets a no, and the person is told once. */
function declineFor(say: (text: string) => void): (params: unknown) => { readonly action: 'decline' } {
  let isTold = false;
  return (params) => {
    const { message } = (params ?? {}) as { message?: unknown };
    if (!isTold) say(`declined, as nobody can be asked here: ${printableLine(String(message ?? 'a question'))}`);
    isTold = true;
    return { action: 'decline' };
  };
}
