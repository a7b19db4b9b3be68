import type { Lines } from '@parley/chat/questions';
import type { ConnectOptions, FormReply, PermissionHandler, PermissionQuestion, Question } from '@parley/client';
import { CliError, type Interruption } from '@parley/host/command-line';
import type { AuthMethod } from '@parley/protocol';
import { shortLine } from '@parley/terminal';
import type { CliContext } from '../context.ts';
import { allowFlags } from './denials.ts';
import type { RunSettings } from './settings/run-settings.ts';

export interface AskPersonOptions {
  readonly settings: RunSettings;
  readonly interruption: Interruption;
  readonly say: (text: string) => void;
}

/** How the agent's questions are answered. */
export interface Answers extends Pick<ConnectOptions, 'elicitation' | 'extensions'> {
  readonly ask?: PermissionHandler;
  /** Asks for the secret of a login; undefined when the person gave none. */
  readonly askSecret?: (method: AuthMethod) => Promise<string | undefined>;
}

/** Whether a person is at the terminal to be asked. */
export function isSomebodyThere({ output: { format } }: RunSettings, { stdin, stderr }: CliContext): boolean {
  return stdin.isTTY === true && stderr.isTTY === true && format !== 'json';
}

/** By the person, where one is at the terminal; otherwise as the settings say, and with a no to everything else. */
export async function askPerson(
  { settings, interruption, say }: AskPersonOptions,
  context: CliContext,
): Promise<Answers> {
  const { mayAsk, whenAlone } = settings.permissions;
  if (!isSomebodyThere(settings, context)) {
    const allow: AllowFlags = (question) => allowFlags(question, settings, context.env.HOME);
    return {
      // Without a handler the answer is no, and the agent hears that there was nobody to ask.
      ...(mayAsk && whenAlone === 'fail' && { ask: failFor(interruption.end, allow) }),
      extensions: { requests: { 'elicitation/create': declineFor(say) } },
    };
  }
  const [{ createTerminalTalk }, { textViewOptions }] = await Promise.all([
    import('@parley/chat/terminal-talk'),
    import('../output/text-view-options.ts'),
  ]);
  const look = textViewOptions(
    { ...settings.output, isVerbose: false, cwd: settings.session.cwd },
    context,
    context.stderr,
  );
  const talk = createTerminalTalk(context, look);
  /** It takes its turn before it loads anything: what the agent asks later comes later. */
  const put =
    <Asked extends Question, Answer>(
      choose: (dialogue: typeof import('@parley/chat/questions')) => (question: Asked, lines: Lines) => Promise<Answer>,
    ) =>
    (question: Asked, signal: AbortSignal): Promise<Answer | undefined> =>
      talk.hold(signal, async (lines) => choose(await import('@parley/chat/questions'))(question, lines));
  const [permit, fill, visit] = [
    put(({ askPermission }) => askPermission),
    put(({ askForm }) => askForm),
    put(({ askToVisit }) => askToVisit),
  ];
  return {
    ...(mayAsk && {
      // Without an answer, since the input ended or the turn was cancelled, nobody has allowed anything.
      ask: async (question, { signal }) => (await permit(question, signal)) ?? (signal.aborted ? 'cancel' : 'reject'),
    }),
    askSecret: (method) =>
      talk.hold(interruption.signal, async (lines) => {
        lines.announce('question', shortLine(method.description ?? `${method.name} to log in with`));
        return (await lines.readSecret(`${shortLine(method.name)}: `)) || undefined;
      }),
    elicitation: {
      form: async (question, { signal }) => (await fill(question, signal)) ?? DISMISSED,
      url: async (question, { signal }) => (await visit(question, signal)) ?? DISMISSED,
      onComplete: () => say('the agent says that what it sent you to the browser for is done'),
    },
  };
}

const DISMISSED: FormReply = { action: 'cancel' };

type AllowFlags = (question: PermissionQuestion) => Promise<readonly string[]>;

/** Ends the run over a permission that nobody can give. */
function failFor(end: (error: CliError) => void, allow: AllowFlags): PermissionHandler {
  return async (question): Promise<'cancel'> => {
    const { toolCall, because = '' } = question;
    const title = shortLine(toolCall.title ?? toolCall.toolCallId);
    end(
      new CliError('permission_denied', `The agent asks for permission and nobody can be asked: ${title}. ${because}`, {
        next: [...(await allow(question)), '--non-interactive-permissions deny'],
      }),
    );
    return 'cancel';
  };
}

/** We offer no forms when nobody can fill them in. An agent that asks all the same gets a no, and the person is told once. */
function declineFor(say: (text: string) => void): (params: unknown) => { readonly action: 'decline' } {
  let isTold = false;
  return (params) => {
    const { message } = (params ?? {}) as { message?: unknown };
    if (!isTold) say(`declined, as nobody can be asked here: ${shortLine(String(message ?? 'a question'))}`);
    isTold = true;
    return { action: 'decline' };
  };
}
