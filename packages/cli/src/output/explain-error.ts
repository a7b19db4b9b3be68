import { AgentError, AuthRequiredError, CapabilityError, UsageError } from '@parley/client';
import { CliError, type ExitName } from '@parley/host/command-line';
import { shellLine } from '@parley/host/terminal';
import { ParleyError, RpcError } from '@parley/jsonrpc';
import { detailsOfError, kindOfError } from '@parley/protocol';
import { redactText } from '@parley/session/traces';

/** An error as a person should meet it. */
export interface ExplainedError {
  readonly exit: ExitName;
  readonly code: string;
  /** What happened, what was sent, and the agent's last words. */
  readonly message: string;
  /** Commands to try next. */
  readonly next: readonly string[];
}

export interface ErrorSetting {
  /** The agent as a flag would name it: `gemini`, or a quoted command. */
  readonly agent?: string;
  /** What we sent last. */
  readonly sent?: string | undefined;
  /** The agent's last words, where an error does not bring them itself. */
  readonly stderrTail?: string | undefined;
}

/** Says what happened, and what to do about it; never with a secret that can be told as one. */
export function explainError(error: unknown, setting: ErrorSetting = {}): ExplainedError {
  const { message, next, ...rest } = explain(error, setting);
  return { ...rest, message: redactText(message), next: next.map((line) => redactText(line)) };
}

function explain(error: unknown, setting: ErrorSetting): ExplainedError {
  if (isOutOfFiles(error)) return { exit: 'failed', code: 'unexpected', message: TOO_MANY_FILES, next: [] };
  if (error instanceof CliError) return explainOwn(error, setting);
  const { exit, next } = judge(error, setting.agent);
  const code =
    error instanceof ParleyError ? error.code : error instanceof RpcError ? String(error.code) : 'unexpected';
  return { exit, code, message: withSent(describe(error, setting), error, setting.sent), next };
}

/** An error of ours knows what it means; only a timeout leaves open what the agent was doing. */
function explainOwn(error: CliError, { agent, sent, stderrTail = '' }: ErrorSetting): ExplainedError {
  const { exit, code, message, next } = error;
  if (code !== 'timeout' || agent === undefined) return { exit, code, message, next };
  const words = stderrTail
    .trim()
    .split('\n')
    .slice(-QUOTED_STDERR_LINES)
    .map((line) => `\n  ${line}`);
  const lastWords = stderrTail.trim() === '' ? '' : `\nIts last words on stderr:${words.join('')}`;
  const lastSent = sent === undefined ? '' : `\nSent last: ${sent}`;
  return { exit, code, message: message + lastWords + lastSent, next: [...next, doctorLine(agent)] };
}

const QUOTED_STDERR_LINES = 8;

function judge(
  error: unknown,
  agent: string | undefined,
): { readonly exit: ExitName; readonly next: readonly string[] } {
  const doctor = doctorLine(agent);
  const network = explainNetwork(error, agent);
  if (network) return network;
  if (error instanceof AuthRequiredError) return { exit: 'authRequired', next: loginLines(error, agent) ?? [doctor] };
  if (error instanceof AgentError) {
    if (error.code === 'deadline_passed')
      return { exit: 'timeout', next: [doctor, 'parley config set deadlines.session 300'] };
    const isGone = ['agent_unreachable', 'agent_exited', 'connection_lost'].includes(error.code);
    return { exit: isGone ? 'agentDied' : 'failed', next: [doctor] };
  }
  if (error instanceof CapabilityError) return { exit: 'failed', next: [doctor] };
  if (error instanceof UsageError) return { exit: 'usage', next: [] };
  if (error instanceof RpcError) {
    const kind = kindOfError(error);
    if (isModelLogin(error)) return { exit: 'authRequired', next: ['parley login', doctor] };
    if (isModelFault(error)) return { exit: 'failed', next: ['parley models', doctor] };
    if (kind === 'auth_required' || kind === 'auth_failed') return { exit: 'authRequired', next: [doctor] };
    if (kind === 'session_not_found' || kind === 'session_expired')
      return { exit: 'noSession', next: ['parley sessions list'] };
    const { reason } = (error.data ?? {}) as { readonly reason?: unknown };
    if (reason === 'store_unavailable' || reason === 'store_readonly') return { exit: 'failed', next: KEEP_ELSEWHERE };
    return { exit: 'failed', next: [doctor] };
  }
  if (error instanceof ParleyError) return { exit: USAGE_CODES.has(error.code) ? 'usage' : 'failed', next: [] };
  return { exit: 'failed', next: [] };
}

/** What a server on the network has done, and what to do about it. */
function explainNetwork(
  error: unknown,
  agent: string | undefined,
): { readonly exit: ExitName; readonly next: readonly string[] } | undefined {
  if (error instanceof AgentError && error.cause instanceof UsageError) return { exit: 'usage', next: [] };
  const failure = findNetworkFailure(error);
  if (!failure) return undefined;
  const { kind, status } = failure;
  const doctor = doctorLine(agent);
  const isHere = agent !== undefined && /(^|\/)(localhost|127\.|\[::1)/.test(agent);
  if (status === 401) {
    const local = isHere ? ['parley --agent local   (finds the token of your own server)'] : [];
    return { exit: 'authRequired', next: ['--token-file <file>', 'export PARLEY_TOKEN=<its token>', ...local] };
  }
  if (kind === 'tls') return { exit: 'agentDied', next: ['--ca <file with the certificate of its authority>', doctor] };
  const isDown = (kind === 'unreachable' && isHere) || agent === 'local';
  return { exit: 'agentDied', next: isDown ? ['parley serve', doctor] : [doctor] };
}

/** True where this process could not open one more file, whatever it was for. */
function isOutOfFiles(error: unknown): boolean {
  for (let each = error, depth = 0; each instanceof Error && depth < MAX_CAUSES; each = each.cause, depth += 1) {
    const { code } = each as NodeJS.ErrnoException;
    // Since Node 24 a package.json that cannot be opened has another code, and the reason is only in its message.
    const isAboutPackage = code === 'ERR_INVALID_PACKAGE_CONFIG' && /too many open files/.test(each.message);
    if (code === 'EMFILE' || code === 'ENFILE' || isAboutPackage) return true;
  }
  return false;
}

const TOO_MANY_FILES = 'Too many files are open; allow more with: ulimit -n 1024';

/** Each of the network transports has a `NetworkError` of its own, so it is known by its name. */
function findNetworkFailure(error: unknown): { readonly kind: unknown; readonly status: unknown } | undefined {
  for (let each = error, depth = 0; each instanceof Error && depth < MAX_CAUSES; each = each.cause, depth += 1) {
    const { kind, status } = each as { readonly kind?: unknown; readonly status?: unknown };
    if (each.name === 'NetworkError') return { kind, status };
    const reason = (each as { readonly reason?: { readonly error?: unknown } }).reason?.error;
    if (reason instanceof Error && reason.name === 'NetworkError') return findNetworkFailure(reason);
  }
  return undefined;
}

const MAX_CAUSES = 8;

/** For a home in which nothing can be made. */
const KEEP_ELSEWHERE: readonly string[] = [
  'export XDG_STATE_HOME=<a folder that you can write>',
  "parley --agent 'parley agent --no-store'   (keeps nothing)",
];

/** Errors of other packages that are about what the person wrote. */
const USAGE_CODES: ReadonlySet<string> = new Set(['rule_syntax', 'check_target', 'launch_config_invalid']);

function describe(error: unknown, { agent }: ErrorSetting): string {
  if (!(error instanceof RpcError)) return error instanceof Error ? error.message : String(error);
  if (isModelFault(error)) return error.message;
  const who = agent ?? 'The agent';
  if (isNoAgent(error)) {
    return `${who} does not know "initialize", the first message of ACP. It is no ACP agent, or only repeats what it is sent.`;
  }
  const words = detailsOfError(error);
  // A sentence is not made clearer by the code of the same fault.
  if (words !== undefined && BARE_CODE.test(words) && error.message.endsWith('.'))
    return `${who} answered with an error: ${error.message}`;
  const details = words ?? (error.data === undefined ? '' : JSON.stringify(error.data).slice(0, MAX_DATA_CHARACTERS));
  return `${who} answered with an error: ${error.message}${details === '' ? '' : `: ${details}`}`;
}

/** What our own request meets when it comes back, and what a server answers that speaks JSON-RPC and no ACP. */
function isNoAgent({ code, data }: RpcError): boolean {
  return code === -32601 && (data as { readonly method?: unknown } | null | undefined)?.method === 'initialize';
}

/** Our own agent tells why its model did not answer. The message says all there is to say. */
function isModelFault(error: RpcError): boolean {
  const { data, message } = error;
  return isModelLogin(error) || (message.endsWith('.') && Object.keys(data ?? {}).join() === 'kind');
}

/** The model's server wants another key. */
function isModelLogin({ data }: RpcError): boolean {
  return (data as { readonly kind?: unknown } | null | undefined)?.kind === 'auth';
}

const MAX_DATA_CHARACTERS = 500;
const BARE_CODE = /^[a-z]+(_[a-z]+)+$/;

function withSent(message: string, error: unknown, sent: string | undefined): string {
  const isAboutAgent = error instanceof AgentError || (error instanceof RpcError && !isModelFault(error));
  return isAboutAgent && sent !== undefined ? `${message}\nSent last: ${sent}` : message;
}

function doctorLine(agent: string | undefined): string {
  return agent === undefined ? 'parley doctor' : shellLine`parley doctor ${agent}`;
}

/** How to log in: at once with the first way, or in the chat, which shows all of them. */
function loginLines({ methods }: AuthRequiredError, agent: string | undefined): readonly string[] | undefined {
  const [method] = methods;
  const chat = agent === undefined ? 'parley' : shellLine`parley --agent ${agent}`;
  return method && [`${chat} ${shellLine`--auth ${method.id}`}`, `${chat}   (shows every way to log in)`];
}
