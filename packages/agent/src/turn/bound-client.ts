import type { RequestOptions } from '@parley/jsonrpc';
import { ParleyError } from '@parley/jsonrpc';
import { SharedAborts } from '@parley/jsonrpc/internal';
import type { ElicitationSchema } from '@parley/protocol';
import type { ClientOffers, NewFormQuestion } from '@parley/session';
import type {
  Client,
  FormOptions,
  ReadTextFileOptions,
  Terminal,
  TerminalOptions,
  UrlOptions,
} from '../contract/client.ts';
import type { ClientInfo, ClientPeer, ElicitationAnswer, ElicitationScope, McpCall } from '../contract/client-peer.ts';
import { CapabilityError } from '../errors.ts';
import { unawaited } from '../promises.ts';
import { toAbsolutePath } from './paths.ts';
import { ClientTerminal } from './terminal.ts';

export interface BoundClientOptions {
  /** The client that is asked: the same for as long as the connection lasts, or whoever has the session open now. */
  readonly peer: ClientPeer | (() => ClientPeer);
  readonly sessionId: string;
  readonly cwd: string;
  /** Aborts when everything that is asked of the client must end. */
  readonly signal: AbortSignal;
  readonly scope?: ElicitationScope;
  /** Puts a form or a page to whoever has the session open. Default: to this client alone. */
  readonly ask?: (question: NewFormQuestion, signal: AbortSignal) => Promise<ElicitationAnswer>;
  /** Resolves when everything that was said before is on the wire; undefined when it is. */
  readonly whenShown?: () => Promise<void> | undefined;
}

/** Names that only a secret has. A form is shown and kept in the clear. */
const SECRET = /passw(or)?d|passphrase|secret|credential|private.?key|api.?key|(access|auth|bearer|api).?token/i;

export class BoundClient implements Client {
  readonly #options: BoundClientOptions;
  readonly #terminals = new Set<ClientTerminal>();
  readonly #aborts = new SharedAborts();

  constructor(options: BoundClientOptions) {
    this.#options = options;
  }

  get offers(): ClientOffers {
    return this.#peer.offers;
  }

  get info(): ClientInfo | undefined {
    return this.#peer.info;
  }

  current(): Client {
    // What it holds is given back when the session is over already.
    return new BoundClient({ ...this.#options, peer: this.#peer, signal: new AbortController().signal });
  }

  get #peer(): ClientPeer {
    const { peer } = this.#options;
    return typeof peer === 'function' ? peer() : peer;
  }

  readTextFile(path: string, options: ReadTextFileOptions = {}): Promise<string> {
    return unawaited(this.#readTextFile(path, options));
  }

  writeTextFile(path: string, content: string, options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    return unawaited(this.#writeTextFile(path, content, options));
  }

  createTerminal(options: TerminalOptions): Promise<Terminal> {
    return unawaited(this.#createTerminal(options));
  }

  elicit(options: FormOptions | UrlOptions): Promise<ElicitationAnswer> {
    return unawaited(this.#elicit(options));
  }

  request<Result>(method: string, params?: unknown, options: RequestOptions = {}): Promise<Result> {
    const answer = this.#peer.request(method, params, { ...options, ...this.#until(options.signal) });
    return unawaited(answer as Promise<Result>);
  }

  callMcp(call: McpCall, options: { readonly signal?: AbortSignal } = {}): Promise<unknown> {
    return unawaited(this.#peer.callMcp(call, this.#until(options.signal)));
  }

  completeElicitation(elicitationId: string): void {
    if (this.offers.elicitUrl) this.#peer.completeElicitation(elicitationId);
  }

  /** Comes after all that was said before. */
  notify(method: string, params?: unknown): void | Promise<void> {
    const shown = this.#options.whenShown?.();
    return shown ? unawaited(shown.then(() => this.#peer.notify(method, params))) : this.#peer.notify(method, params);
  }

  /** Gives back every terminal that is still held. The requests are sent before this returns. */
  releaseTerminals(): Promise<unknown> {
    return Promise.allSettled([...this.#terminals].map((terminal) => terminal.release()));
  }

  async #readTextFile(path: string, { line, limit, signal }: ReadTextFileOptions): Promise<string> {
    if (!this.offers.readTextFile) throw new CapabilityError('to read files', 'fs.readTextFile');
    const { sessionId, cwd } = this.#options;
    return this.#peer.readTextFile({ sessionId, path: toAbsolutePath(cwd, path), line, limit }, this.#until(signal));
  }

  async #writeTextFile(path: string, content: string, options: { readonly signal?: AbortSignal }): Promise<void> {
    if (!this.offers.writeTextFile) throw new CapabilityError('to write files', 'fs.writeTextFile');
    const { sessionId, cwd } = this.#options;
    await this.#peer.writeTextFile(
      { sessionId, path: toAbsolutePath(cwd, path), content },
      this.#until(options.signal),
    );
  }

  async #createTerminal({ signal, cwd, ...terminal }: TerminalOptions): Promise<Terminal> {
    if (!this.offers.terminals) throw new CapabilityError('terminals', 'terminal');
    const { sessionId, cwd: base } = this.#options;
    const peer = this.#peer;
    const options = { ...terminal, sessionId, cwd: cwd === undefined ? undefined : toAbsolutePath(base, cwd) };
    const terminalId = await this.#untilAborted(peer.createTerminal(options, {}), signal, (late) =>
      peer.releaseTerminal({ sessionId, terminalId: late }, {}),
    );
    const created = new ClientTerminal({
      peer,
      sessionId,
      terminalId,
      signal: this.#options.signal,
      whenShown: this.#options.whenShown,
      onRelease: (released) => this.#terminals.delete(released),
    });
    this.#terminals.add(created);
    return created;
  }

  async #elicit(options: FormOptions | UrlOptions): Promise<ElicitationAnswer> {
    const question = this.#toQuestion(options);
    const { toolCallId, signal } = options;
    await this.#options.whenShown?.();
    const until = this.#until(signal);
    if (this.#options.ask && !this.#options.scope) return this.#options.ask(question, until.signal);
    const { sessionId } = this.#options;
    const scope = this.#options.scope ?? { sessionId, ...(toolCallId !== undefined && { toolCallId }) };
    return this.#peer.elicit(scope, question, until);
  }

  #toQuestion(options: FormOptions | UrlOptions): NewFormQuestion {
    const { message, toolCallId } = options;
    const facts = { message, ...(toolCallId !== undefined && { toolCallId }) };
    if ('url' in options) {
      if (!this.offers.elicitUrl) throw new CapabilityError('to open pages', 'elicitation.url');
      const { url, elicitationId = crypto.randomUUID() } = options;
      return { type: 'page', ...facts, url, elicitationId };
    }
    if (!this.offers.elicitForm) throw new CapabilityError('forms', 'elicitation.form');
    requireNoSecrets(options.form);
    return { type: 'form', ...facts, form: options.form };
  }

  /**
   * Waits for a result until the signal aborts; `onLate` takes a result that comes after that. A terminal whose creation was
   * under way when the turn was cancelled exists at the client all the same, and must be given back.
   */
  #untilAborted<T>(
    promise: Promise<T>,
    signal: AbortSignal | undefined,
    onLate: (value: T) => Promise<unknown>,
  ): Promise<T> {
    const until = this.#until(signal).signal;
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        reject(until.reason);
        promise.then(onLate).catch(() => {});
      };
      if (until.aborted) return onAbort();
      promise.then(resolve, reject).finally(this.#aborts.add(until, onAbort));
    });
  }

  #until(signal: AbortSignal | undefined): { readonly signal: AbortSignal } {
    const own = this.#options.signal;
    return { signal: signal && signal !== own ? AbortSignal.any([signal, own]) : own };
  }
}

function requireNoSecrets(form: ElicitationSchema): void {
  for (const [name, property] of Object.entries(form.properties ?? {})) {
    const title = 'title' in property && typeof property.title === 'string' ? property.title : '';
    if (property.type !== 'string' || !(SECRET.test(name) || SECRET.test(title))) continue;
    throw new ParleyError(
      'secret_in_form',
      `A form must not ask for secrets ("${name}"); send the person to a page instead.`,
    );
  }
}
