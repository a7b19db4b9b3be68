import { RpcError } from '@parley/jsonrpc';
import { programChanged } from '../errors.ts';
import type { Service, ServiceOptions } from '../service/service.ts';
import type { ServedVersion } from './versions.ts';

export interface LazyServiceOptions extends ServiceOptions {
  readonly version: ServedVersion;
}

/**
 * What serves a client that has introduced itself. Sessions, turns and a version of the protocol take longer to load than
 * `initialize` takes to answer, so they are loaded once it is answered; what the client sends meanwhile waits, in order.
 */
export class LazyService {
  readonly version: ServedVersion;
  readonly #options: LazyServiceOptions;
  #soon: ReturnType<typeof setTimeout> | undefined;
  /** End the handlers that only wait. */
  #removals: (() => void)[] = [];
  #answered: Promise<unknown> | undefined;
  #loading: Promise<Service> | undefined;

  constructor(options: LazyServiceOptions) {
    this.#options = options;
    this.version = options.version;
  }

  /** Whether the client may still introduce itself in another way. */
  get isRepeatable(): boolean {
    return this.version.isRepeatable && !this.#loading;
  }

  /** Answers `initialize`, and takes what comes behind it. */
  begin(): object | Promise<object> {
    const { agent, initialize, params, whenClientLeaves } = this.#options;
    const asked = { initialize, params, mayReturn: whenClientLeaves === 'keep' };
    const answer = this.version.answerInitialize(agent.definition, asked);
    if (answer instanceof Promise) this.#answered = answer;
    this.listen();
    return answer;
  }

  /** Takes what the client sends from now on. */
  listen(): void {
    const { agent, connection, version } = this.#options;
    connection.onAnyRequest((context) =>
      this.#load().then(({ requests, anyRequest }) => {
        const handler = requests.get(context.method) ?? anyRequest;
        if (!handler) throw RpcError.methodNotFound(context.method);
        return handler(context);
      }),
    );
    const names = new Set([...version.notifications(agent.definition), ...agent.definition.notifications.keys()]);
    this.#removals = [...names].map((name) =>
      connection.onNotification(name, (params, method) =>
        this.#load().then(({ notifications }) => {
          for (const handler of notifications.get(method) ?? []) handler(params, method);
        }),
      ),
    );
    if (agent.definition.onAnyNotification)
      connection.onAnyNotification((params, method) =>
        this.#load().then(({ anyNotification }) => anyNotification?.(params, method)),
      );
    // What the client asks for first decides when a service begins that could still be another.
    if (!version.isRepeatable) this.#loadSoon();
  }

  /** Takes nothing more: another service does. */
  release(): void {
    clearTimeout(this.#soon);
    for (const remove of this.#removals) remove();
  }

  async close(): Promise<void> {
    clearTimeout(this.#soon);
    const service = await this.#loading?.catch(() => undefined);
    await service?.close();
  }

  /** Waits two rounds, since in the first it is not yet read that a client wanted to know no more, and is gone. */
  #loadSoon(): void {
    const load = (): void => {
      this.#load().catch((error: unknown) => {
        const message = 'A part of the agent could not be loaded; is its installation complete?';
        this.#options.agent.definition.report({ kind: 'handler_failed', message, error });
      });
    };
    this.#soon = setTimeout(() => {
      this.#soon = setTimeout(load, 0);
    }, 0);
  }

  #load(): Promise<Service> {
    this.#loading ??= this.#open();
    return this.#loading;
  }

  async #open(): Promise<Service> {
    try {
      await this.#answered;
    } catch {
      throw RpcError.invalidRequest('The request came before an initialize that succeeded.');
    }
    try {
      const { serve } = await this.version.load();
      return this.#start(serve(this.#options));
    } catch (error) {
      throw programChanged(error) ?? error;
    }
  }

  /** From now on the connection calls the handlers itself. */
  #start(service: Service): Service {
    const { connection } = this.#options;
    for (const remove of this.#removals) remove();
    for (const [method, handler] of service.requests) connection.onRequest(method, handler);
    for (const [method, handlers] of service.notifications) {
      for (const handler of handlers) connection.onNotification(method, handler);
    }
    connection.onAnyRequest(
      service.anyRequest ??
        (({ method }) => {
          throw RpcError.methodNotFound(method);
        }),
    );
    if (service.anyNotification) connection.onAnyNotification(service.anyNotification);
    return service;
  }
}
