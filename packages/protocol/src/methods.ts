import { parse, type Validator } from './validation/parse.ts';

/** Who receives a message. `both`: either side may send it. `proxy`: a component between the two, or its conductor. */
export type Receiver = 'agent' | 'client' | 'both' | 'proxy';

interface MethodFacts {
  readonly method: string;
  readonly receiver: Receiver;
  readonly stability: 'stable' | 'unstable';
  /**
   * Capabilities of which one must be advertised before the method may be used, as paths such as
   * `agentCapabilities.loadSession`. Empty: always available.
   */
  readonly gate: readonly string[];
}

/** What the protocol says about one request. */
export interface RequestSpec<Params = unknown, Result = unknown> extends MethodFacts {
  readonly kind: 'request';
  readonly params: Validator<Params>;
  readonly result: Validator<Result>;
}

/** What the protocol says about one notification. */
export interface NotificationSpec<Params = unknown> extends MethodFacts {
  readonly kind: 'notification';
  readonly params: Validator<Params>;
}

export type MethodSpec = RequestSpec | NotificationSpec;

export type RequestTable<Methods> = {
  readonly [Method in keyof Methods]: Methods[Method] extends { params: infer Params; result: infer Result }
    ? RequestSpec<Params, Result>
    : never;
};

export type NotificationTable<Methods> = {
  readonly [Method in keyof Methods]: Methods[Method] extends { params: infer Params }
    ? NotificationSpec<Params>
    : never;
};

/** All methods of a version by name. A name that is both a request and a notification stands for the request. */
export type MethodTable<Requests, Notifications> = RequestTable<Requests> &
  NotificationTable<Omit<Notifications, keyof Requests>>;

/** One version of the protocol, as data that a runtime can be given. */
export interface Protocol<Requests, Notifications> {
  readonly version: number;
  readonly requests: RequestTable<Requests>;
  readonly notifications: NotificationTable<Notifications>;
  readonly methods: MethodTable<Requests, Notifications>;

  /** What is known about a request, if it is one of the protocol's. Safe for names from a peer. */
  requestSpec(method: string): RequestSpec | undefined;
  notificationSpec(method: string): NotificationSpec | undefined;

  /** The params of a request, or of a notification when `method` is only that. Absent params are an empty object. */
  parseParams<Method extends keyof (Requests & Notifications)>(
    method: Method,
    value: unknown,
  ): ParamsOf<Requests & Notifications, Method>;

  /** The result of a request. Peers may answer `null` where the result has no fields; it is read as an empty object. */
  parseResult<Method extends keyof Requests>(method: Method, value: unknown): ResultOf<Requests, Method>;
}

export type ParamsOf<Methods, Method extends keyof Methods> = Methods[Method] extends { params: infer Params }
  ? Params
  : never;

export type ResultOf<Methods, Method extends keyof Methods> = Methods[Method] extends { result: infer Result }
  ? Result
  : never;

export interface ProtocolTables<Requests, Notifications> {
  readonly version: number;
  readonly requests: RequestTable<Requests>;
  readonly notifications: NotificationTable<Notifications>;
}

/** Joins the generated tables of one version. */
export function createProtocol<Requests, Notifications>(
  tables: ProtocolTables<Requests, Notifications>,
): Protocol<Requests, Notifications> {
  const { version, requests, notifications } = tables;
  const methods = { ...notifications, ...requests } as MethodTable<Requests, Notifications>;

  return {
    version,
    requests,
    notifications,
    methods,
    requestSpec: (method) => own<RequestSpec>(requests, method),
    notificationSpec: (method) => own<NotificationSpec>(notifications, method),
    parseParams<Method extends keyof (Requests & Notifications)>(method: Method, value: unknown) {
      const { params } = specOf(methods, method);
      return parse(params, value ?? {}) as ParamsOf<Requests & Notifications, Method>;
    },
    parseResult<Method extends keyof Requests>(method: Method, value: unknown) {
      const { result } = specOf<RequestSpec>(requests, method);
      return parse(result, value ?? {}) as ResultOf<Requests, Method>;
    },
  };
}

/** A method of the table, and nothing that its prototype has. */
function own<Spec>(table: object, method: string): Spec | undefined {
  return Object.hasOwn(table, method) ? (table as Record<string, Spec>)[method] : undefined;
}

function specOf<Spec = MethodSpec>(table: object, method: PropertyKey): Spec {
  const spec = own<Spec>(table, String(method));
  if (spec === undefined) throw new TypeError(`${String(method)} is not a method of this version of the protocol`);
  return spec;
}
