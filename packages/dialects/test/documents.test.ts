import { type LaunchConfig, parseLaunchConfig } from '@parley/dialects';
import { v1 } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { type Border, defaultParams, type Json, openBorder } from './border.ts';
import { answeredMethod, DOCUMENTS, type Example, messageOf, partOf } from './fixtures.ts';

const vault = new Map<string, unknown>();

/** A side that has introduced itself, so that what depends on capabilities is allowed. */
function openSide(dialect: (typeof DOCUMENTS)[number]['dialect']): Border {
  const border = openBorder(dialect, {
    findSession: () => ({ cwd: '/w' }),
    takeCredentials: (methodId, credentials) => vault.set(methodId, credentials),
    giveCredentials: (methodId) => vault.get(methodId),
  });
  border.state.clientCapabilities = { fs: { readTextFile: true, writeTextFile: true }, terminal: true };
  border.state.agentCapabilities = { mcpCapabilities: { http: true, sse: true } };
  return border;
}

/** Reads an example as its receiver would. */
function readExample(example: Example, dialect: (typeof DOCUMENTS)[number]['dialect']): Json[] {
  const receiver = openSide(dialect);
  const message = messageOf(example);
  const asked = isResponse(message) ? answeredMethod(example) : undefined;
  if (asked) receiver.write({ jsonrpc: '2.0', id: message.id, method: asked, params: defaultParams(asked) });
  return receiver.read(message) as Json[];
}

/** Writes canonical messages as their sender would. */
function writeBack(canonical: Json[], example: Example, dialect: (typeof DOCUMENTS)[number]['dialect']): Json {
  const sender = openSide(dialect);
  const message = messageOf(example);
  const asked = isResponse(message) ? answeredMethod(example) : undefined;
  if (asked) sender.read({ jsonrpc: '2.0', id: message.id, method: asked, params: defaultParams(asked) });
  const written = canonical.flatMap((each) => sender.write(each)) as Json[];
  return written.find(({ id }) => isResponse(message) && id === message.id) ?? (written.at(-1) as Json);
}

function isResponse(message: Json): boolean {
  return message.method === undefined;
}

/** The validators repair what is optional without a word; nothing here may need it. */
function validate(message: Json, example: Example): void {
  const method = message.method as 'session/update' | undefined;
  if (method !== undefined) expect(v1.parseParams(method, message.params)).toMatchObject(message.params as Json);
  else if (message.error === undefined) {
    expect(v1.parseResult(answeredMethod(example) as 'session/new', message.result)).toMatchObject(
      message.result as Json,
    );
  }
}

function strip(value: unknown, names: readonly string[] = []): unknown {
  return value === null || typeof value !== 'object'
    ? value
    : Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

describe.each(DOCUMENTS)('$document', ({ dialect, examples }) => {
  const messages = examples.filter(({ place, cannot }) => place !== 'launch' && cannot === undefined);

  it('gives a reason for each example without a canonical form', () => {
    for (const { cannot, shows, place } of examples) {
      if (cannot !== undefined) expect(cannot.length).toBeGreaterThan(20);
      else if (place === 'message') expect(shows).not.toBeNull();
    }
  });

  it.each(messages)('line $line: $what is read as valid ACP v1', (example) => {
    const canonical = readExample(example, dialect);
    expect(canonical.length).toBeGreaterThan(0);
    for (const message of canonical) validate(message, example);
    expect(canonical.at(-1)).toMatchObject({ jsonrpc: '2.0' });
  });

  it.each(messages.filter(({ readOnly }) => !readOnly))('line $line: $what is written as it is shown', (example) => {
    const canonical = readExample(example, dialect);
    const written = partOf(example, writeBack(canonical, example, dialect));
    expect(strip(written, example.beyond)).toEqual(strip(example.shows, example.less));
  });

  it.each(messages.filter(({ readOnly }) => !!readOnly))(
    'line $line: $what is written in its other form',
    (example) => {
      const canonical = readExample(example, dialect);
      const again = readExample(
        { ...example, place: 'message', shows: writeBack(canonical, example, dialect) },
        dialect,
      );
      expect(again).toEqual(canonical);
    },
  );
});

describe('launch configurations', () => {
  const launches = DOCUMENTS.flatMap(({ examples }) => examples.filter(({ place }) => place === 'launch'));

  it.each(launches)('line $line: $what is read', ({ shows }) => {
    const config: LaunchConfig = parseLaunchConfig(shows);
    expect(config.kind).toBe((shows as Json).transport);
    const pairs = config.kind === 'stdio' ? config.env : config.headers;
    expect(Object.fromEntries(pairs.map(({ name, value }) => [name, value]))).toEqual(
      (shows as Json).env ?? (shows as Json).headers,
    );
  });
});
