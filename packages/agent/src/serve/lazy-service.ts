import { RpcError } from '@parley/jsonrpc';
import { programChanged } from './program-changed.ts';
import type { Service, ServiceOptions } from './service.ts';

/**
 * What serves a client that has introduced itself. Sessions, turns and a version of the protocol take longer to load than
 * `initialize` takes to answer, so they are loaded once it is answered; what the client sends meanwhile waits, in order.
 */
export class LazyService {
  readonly #options: ServiceOptions;
  readonly #soon: ReturnType<typeof setTimeout>;
  /** End the handlers that only wait. */
  readonly #removals: (() => void)[];
  #loading: Promise<Service> | undefined;

  constructor(options: ServiceOptions) {
    this.#options = options;
    const { agent, connection } = options;
    connection.onAnyRequest((context) =>
      this.#load().then(({ requests }) => {
        const handler = requests.get(context.method);
        if (!handler) throw RpcError.methodNotFound(context.method);
        return handler(context);
      }),
    );
    const unstable = agent.definition.isUnstable ? ['mcp/message'] : [];
    const names = new Set(['session/cancel', ...unstable, ...agent.definition.notifications.keys()]);
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

  async end(): Promise<void> {
    clearTimeout(this.#soon);
    const service = await this.#loading?.catch(() => undefined);
    await service?.client.end();
  }

  /** Once it has resolved, the connection calls the handlers itself. */
  #load(): Promise<Service> {
    this.#loading ??= import('./service.ts').then(
      ({ beginService }) => {
        for (const remove of this.#removals) remove();
        return beginService(this.#options);
      },
      (error: unknown) => {
        throw programChanged(error) ?? error;
      },
    );
    return this.#loading;
  }
}
