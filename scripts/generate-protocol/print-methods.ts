import type { Definition, Model, Property } from './model.ts';
import { propertyKey, quote } from './text.ts';

export interface MethodsOptions {
  readonly model: Model;
  /** Methods of the stable schema; all others are marked unstable. */
  readonly stableMethods: ReadonlySet<string>;
  readonly gates: Readonly<Record<string, readonly string[]>>;
  /** Module of `RequestTable` and `NotificationTable`. */
  readonly tableModule: string;
}

interface Table {
  readonly name: string;
  readonly comment: string;
  readonly type: string;
  readonly entries: readonly Method[];
}

interface Method {
  readonly name: string;
  readonly receiver: 'agent' | 'client' | 'both' | 'proxy';
  readonly params: string;
  /** Only requests have one. */
  readonly result?: string;
}

/** Prints the method table of one schema, and the types that go from a method's name to its params and result. */
export function printMethods({ model, stableMethods, gates, tableModule }: MethodsOptions): string {
  const methods = readMethods(model);
  checkGates(methods, gates, model);
  const names = new Set(methods.flatMap(({ params, result }) => (result ? [params, result] : [params])));
  const table = methods.filter(({ receiver }) => receiver !== 'proxy');
  return `${[
    `import type { NotificationTable, RequestTable } from '${tableModule}';`,
    `import type {\n${[...names].map((name) => `  ${name},\n`).join('')}} from './types.gen.ts';`,
    `import { validators } from './validators.gen.ts';`,
  ].join('\n')}

${[
  printInterface('AgentRequests', 'Requests that an agent answers.', pick(table, 'agent', true)),
  printInterface('AgentNotifications', 'Notifications that an agent receives.', pick(table, 'agent', false)),
  printInterface('ClientRequests', 'Requests that a client answers.', pick(table, 'client', true)),
  printInterface('ClientNotifications', 'Notifications that a client receives.', pick(table, 'client', false)),
  ...printProxy(methods),
  printTable('REQUESTS', 'Every request by its method', 'RequestTable<AgentRequests & ClientRequests>', true),
  printTable(
    'NOTIFICATIONS',
    'Every notification by its method',
    'NotificationTable<AgentNotifications & ClientNotifications>',
    false,
  ),
].join('\n\n')}
`;

  function printTable(name: string, comment: string, type: string, isRequest: boolean): string {
    const entries = table.filter(({ result }) => (result !== undefined) === isRequest);
    return printEntries({ name, comment, type, entries });
  }

  function printEntries({ name, comment, type, entries }: Table): string {
    const marked = entries.some(isUnstable) ? ', the unstable ones marked' : '';
    return `/** ${comment}${marked}. */\nexport const ${name}: ${type} = {\n${entries.map(printEntry).join('')}};`;
  }

  function isUnstable({ name }: Method): boolean {
    return !stableMethods.has(name);
  }

  function printEntry(method: Method): string {
    const { name, receiver, params, result } = method;
    const fields = [
      `method: ${quote(name)}`,
      `kind: ${quote(result ? 'request' : 'notification')}`,
      `receiver: ${quote(receiver)}`,
      `stability: ${quote(isUnstable(method) ? 'unstable' : 'stable')}`,
      `gate: [${(gates[name] ?? []).map(quote).join(', ')}]`,
      `params: validators.${params}`,
      ...(result ? [`result: validators.${result}`] : []),
    ];
    return `  ${propertyKey(name)}: {\n${fields.map((field) => `    ${field},\n`).join('')}  },\n`;
  }

  function printProxy(all: readonly Method[]): string[] {
    const proxy = all.filter(({ receiver }) => receiver === 'proxy');
    if (proxy.length === 0) return [];
    const requests = proxy.filter(({ result }) => result !== undefined);
    const notifications = proxy.filter(({ result }) => result === undefined);
    return [
      printInterface('ProxyRequests', 'Requests between a conductor and its proxies.', requests),
      printInterface('ProxyNotifications', 'Notifications between a conductor and its proxies.', notifications),
      printEntries({
        name: 'PROXY_REQUESTS',
        comment: 'Every request of a proxy chain by its method',
        type: 'RequestTable<ProxyRequests>',
        entries: requests,
      }),
      printEntries({
        name: 'PROXY_NOTIFICATIONS',
        comment: 'Every notification of a proxy chain by its method',
        type: 'NotificationTable<ProxyNotifications>',
        entries: notifications,
      }),
    ];
  }
}

function readMethods(model: Model): Method[] {
  const definitions = [...model.definitions.values()].filter(({ method }) => method !== undefined);
  const results = new Map(
    definitions.filter(({ name }) => name.endsWith('Response')).map((each) => [each.method, each.name]),
  );
  return definitions
    .filter(({ name }) => !name.endsWith('Response'))
    .map((definition) => readMethod(definition, results))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readMethod(definition: Definition, results: ReadonlyMap<string | undefined, string>): Method {
  const { name, method = '', receiver } = definition;
  const isRequest = name.endsWith('Request');
  const result = isRequest ? results.get(method) : undefined;
  if (isRequest && result === undefined) throw new Error(`${method} has no response type`);
  if (receiver !== 'agent' && receiver !== 'client' && receiver !== 'protocol' && receiver !== 'proxy') {
    throw new Error(`${method}: unknown side ${receiver}`);
  }
  return {
    name: method,
    receiver: receiver === 'protocol' ? 'both' : receiver,
    params: name,
    ...(result && { result }),
  };
}

function pick(methods: readonly Method[], side: 'agent' | 'client', isRequest: boolean): Method[] {
  return methods.filter(({ receiver, result }) => {
    return (receiver === side || receiver === 'both') && (result !== undefined) === isRequest;
  });
}

function printInterface(name: string, comment: string, methods: readonly Method[]): string {
  const lines = methods.map((method) => {
    const result = method.result ? `; result: ${method.result}` : '';
    return `  ${propertyKey(method.name)}: { params: ${method.params}${result} };\n`;
  });
  return `/** ${comment} */\nexport interface ${name} {\n${lines.join('')}}`;
}

/** A gate for a method that is not there, or a path that no capability has, is a mistake in the table of gates. */
function checkGates(methods: readonly Method[], gates: MethodsOptions['gates'], model: Model): void {
  const names = new Set(methods.map(({ name }) => name));
  for (const [method, paths] of Object.entries(gates)) {
    if (!names.has(method)) throw new Error(`There is a gate for ${method}, but no such method`);
    for (const path of paths) checkPath(path, model);
  }
}

function checkPath(path: string, model: Model): void {
  const [side, ...keys] = path.split('.');
  let name: string | undefined = side === 'agentCapabilities' ? 'AgentCapabilities' : 'ClientCapabilities';
  for (const key of keys) {
    const property = findProperty(model, name, key);
    if (property === undefined) throw new Error(`The gate ${path} names no capability of the schema`);
    const inner = property.shape.kind === 'nullable' ? property.shape.inner : property.shape;
    name = inner.kind === 'ref' ? inner.name : undefined;
  }
}

function findProperty(model: Model, name: string | undefined, key: string): Property | undefined {
  const shape = name === undefined ? undefined : model.definitions.get(name)?.shape;
  return shape?.kind === 'object' ? shape.properties.find((property) => property.name === key) : undefined;
}
