import { RpcError } from '@parley/jsonrpc';
import { programChanged } from './program-changed.ts';
import type { Service, ServiceOptions } from './service.ts';
import type { ServedVersion } from './versions.ts';

export interface LazyServiceOptions extends ServiceOptions {
  readonly version: ServedVersion;
}

/**
 * What serves a client that has introduced itself. Sessions, turns and a version of the protocol take longer to load than
 * `initialize` takes to answer, so they are loaded once it is answered; what the client sends meanwhile waits, in order.
 */
export class LazyService {
  readonly #options: LazyServiceOptions;
  readonly #soon: ReturnType<typeof setTimeout>;
  /** End the handlers that only wait. */
  readonly #removals: (() => void)[];
  #loading: Promise<Service> | undefined;

  constructor(options: LazyServiceOptions) {
    this.#options = options;
    const { agent, connection, version } = options;
    connection.onAnyRequest((context) =>
      this.#load().then(({ requests }) => {
        const handler = requests.get(context.method);
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
    this.#soon = setTimeout(() => {
      this.#load().catch((error: unknown) => {
        const message = 'A part of the agent could not be loaded; is its installation complete?';
        agent.definition.report({ kind: 'handler_failed', message, error });
      });
    }, 0);
  }

  async close(): Promise<void> {
    clearTimeout(this.#soon);
    const service = await this.#loading?.catch(() => undefined);
    await service?.close();
  }

  #load(): Promise<Service> {
    this.#loading ??= this.#options.version.load().then(
      ({ serve }) => this.#begin(serve(this.#options)),
      (error: unknown) => {
        throw programChanged(error) ?? error;
      },
    );
    return this.#loading;
  }

  /** From now on the connection calls the handlers itself. */
  #begin(service: Service): Service {
    const { connection } = this.#options;
    for (const remove of this.#removals) remove();
    for (const [method, handler] of service.requests) connection.onRequest(method, handler);
    for (const [method, handlers] of service.notifications) {
      for (const handler of handlers) connection.onNotification(method, handler);
    }
    connection.onAnyRequest(({ method }) => {
      throw RpcError.methodNotFound(method);
    });
    return service;
  }
}
