import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkOutgoing, checkRules, type MethodSpec, type Receiver, v1 } from '../src/index.ts';
import { PROXY_NOTIFICATIONS, PROXY_REQUESTS, v1Unstable } from '../src/v1/unstable/index.ts';
import { layOutJson } from './lay-out-json.ts';
import { AREAS, NOTIFICATION_EXAMPLES, REQUEST_EXAMPLES } from './method-examples.ts';
import { UNSTABLE_NOTIFICATION_EXAMPLES, UNSTABLE_REQUEST_EXAMPLES } from './unstable-method-examples.ts';
import { UNSTABLE_UPDATE_EXAMPLES, UPDATE_EXAMPLES } from './update-examples.ts';

const DOCUMENT = new URL('../../../docs/methods.md', import.meta.url);

interface Example {
  readonly area: (typeof AREAS)[number];
  readonly purpose: string;
  readonly needs?: string;
  readonly params: unknown;
  readonly result?: unknown;
}

interface Update {
  readonly purpose: string;
  readonly update: unknown;
}

interface Entry extends Example {
  readonly spec: MethodSpec;
}

const STABLE = [
  ...entries(v1.requests, REQUEST_EXAMPLES, 'stable'),
  ...entries(v1.notifications, NOTIFICATION_EXAMPLES, 'stable'),
];
const UNSTABLE = [
  ...entries({ ...v1Unstable.requests, ...PROXY_REQUESTS }, UNSTABLE_REQUEST_EXAMPLES, 'unstable'),
  ...entries({ ...v1Unstable.notifications, ...PROXY_NOTIFICATIONS }, UNSTABLE_NOTIFICATION_EXAMPLES, 'unstable'),
];

/** The methods of a table with their examples, in the order in which the examples stand. */
function entries(table: object, examples: object, stability: MethodSpec['stability']): readonly Entry[] {
  const specs = Object.values(table as Record<string, MethodSpec>).filter((spec) => spec.stability === stability);
  const order = Object.keys(examples);
  expect(order.toSorted(), `the ${stability} methods that have an example`).toEqual(
    specs.map((spec) => spec.method).toSorted(),
  );
  return specs
    .toSorted((a, b) => order.indexOf(a.method) - order.indexOf(b.method))
    .map((spec) => ({ spec, ...(examples as Record<string, Example>)[spec.method] }) as Entry);
}

const RECEIVERS: Readonly<Record<Receiver, readonly [sender: string, receiver: string]>> = {
  agent: ['client', 'agent'],
  client: ['agent', 'client'],
  both: ['either side', 'the other'],
  proxy: ['conductor or proxy', 'proxy or conductor'],
};

const INTRODUCTION = `# Methods of ACP version 1

Every method, with who sends it, what must have been advertised, what it is for, and an example. The stable ones come first, then
the unstable ones, which may change: an agent and a client speak those they know with \`unstable: true\`. How they
follow one another is told in [message flow](message-flow.md).

A capability that is not advertised is not supported, and its methods must not be called. Where several are named, one is enough.
Paths are absolute. Every object may have \`_meta\`. Params and results are shown without the JSON-RPC message around them.

This page is made from the method tables of \`@parley/protocol\` and the examples in \`packages/protocol/test\`. A test compares them:
\`PARLEY_UPDATE_DOCS=1 npx vitest run packages/protocol/test/method-reference.test.ts\` writes the page.
`;

function page(): string {
  return [
    INTRODUCTION,
    ...overview('Stable methods', STABLE),
    ...overview('Unstable methods', UNSTABLE),
    ...chapter('Stable', STABLE),
    ...updates('Stable', UPDATE_EXAMPLES),
    ...chapter('Unstable', UNSTABLE),
    ...updates('Unstable', UNSTABLE_UPDATE_EXAMPLES),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}

function overview(title: string, all: readonly Entry[]): string[] {
  const rows = inAreas(all).map((entry) => {
    const [sender, receiver] = RECEIVERS[entry.spec.receiver];
    const link = `[\`${entry.spec.method}\`](#${anchor(heading(entry))})`;
    return [link, entry.spec.kind, sender, receiver, gateOf(entry.spec)];
  });
  const table = [['method', 'kind', 'sent by', 'received by', 'advertised first'], Array(5).fill('---'), ...rows];
  return [`## ${title}`, '', ...table.map((cells) => `| ${cells.join(' | ')} |`), ''];
}

function chapter(title: string, all: readonly Entry[]): string[] {
  return AREAS.flatMap((area) => {
    const within = all.filter((entry) => entry.area === area);
    return within.length === 0 ? [] : [`## ${title}: ${area}`, '', ...within.flatMap(section)];
  });
}

function section(entry: Entry): string[] {
  const { spec, purpose, needs, params, result } = entry;
  const [sender, receiver] = RECEIVERS[spec.receiver];
  const kind = spec.kind === 'request' ? 'Request' : 'Notification';
  return [
    `### ${heading(entry)}`,
    '',
    purpose,
    '',
    `- ${kind}, from ${sender} to ${receiver}`,
    `- Advertised first: ${gateOf(spec)}`,
    ...(needs === undefined ? [] : [`- Also: ${needs}`]),
    '',
    ...block('Params', params),
    ...(spec.kind === 'request' ? block('Result', result) : []),
  ];
}

/** The kinds of `session/update`, each with the value of its field `update`. */
function updates(title: string, examples: Readonly<Record<string, Update>>): string[] {
  const sections = Object.entries(examples).flatMap(([kind, { purpose, update }]) => [
    `### \`${kind}\``,
    '',
    purpose,
    '',
    '```json',
    layOutJson(update),
    '```',
    '',
  ]);
  return [`## ${title}: kinds of \`session/update\``, '', ...sections];
}

function block(title: string, value: unknown): string[] {
  return [`${title}:`, '', '```json', layOutJson(value), '```', ''];
}

function gateOf(spec: MethodSpec): string {
  return spec.gate.length === 0 ? 'nothing' : spec.gate.map((path) => `\`${path}\``).join(' or ');
}

/** A name that is both a request and a notification says which. */
function heading({ spec }: Entry): string {
  const alike = UNSTABLE.filter((other) => other.spec.method === spec.method);
  return alike.length > 1 ? `\`${spec.method}\` (${spec.kind})` : `\`${spec.method}\``;
}

/** The address that Markdown gives a heading. */
function anchor(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

function inAreas(all: readonly Entry[]): readonly Entry[] {
  return AREAS.flatMap((area) => all.filter((entry) => entry.area === area));
}

describe('the method reference', () => {
  it.each([...STABLE, ...UNSTABLE].map((entry) => [`${entry.spec.kind} ${entry.spec.method}`, entry] as const))(
    'has a sentence and a valid example for the %s',
    (_name, { spec, purpose, params, result }) => {
      expect(purpose).toMatch(/^[A-Z].*\.$/);
      expect(checkOutgoing(spec.params, params)).toBeUndefined();
      const rules = { promptCapabilities: {}, mcpCapabilities: {} };
      expect(checkRules(spec.method as 'session/new', params as never, rules)).toBeUndefined();
      if (spec.kind === 'request') expect(checkOutgoing(spec.result, result)).toBeUndefined();
    },
  );

  it.each([
    ...Object.entries(UPDATE_EXAMPLES).map(([kind, example]) => [kind, v1.notifications, example] as const),
    ...Object.entries(UNSTABLE_UPDATE_EXAMPLES).map(
      ([kind, example]) => [kind, v1Unstable.notifications, example] as const,
    ),
  ])('has a sentence and a valid example for the update %s', (kind, notifications, { purpose, update }) => {
    expect(purpose).toMatch(/^[A-Z].*\.$/);
    expect(update.sessionUpdate).toBe(kind);
    const { params } = notifications['session/update'];
    expect(checkOutgoing(params, { sessionId: 'sess_1', update })).toBeUndefined();
  });

  it('is exactly what the method tables and the examples make; PARLEY_UPDATE_DOCS=1 writes it', () => {
    const expected = page();
    if (process.env.PARLEY_UPDATE_DOCS === '1') writeFileSync(DOCUMENT, expected);
    expect(readFileSync(DOCUMENT, 'utf8')).toBe(expected);
  });
});
