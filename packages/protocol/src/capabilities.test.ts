import {
  acceptsMcpServer,
  allowsContent,
  canElicit,
  canListSessions,
  canLoadSession,
  canReadTextFile,
  canUseTerminals,
  hasCapability,
  imageBlock,
  isMethodAvailable,
  linkBlock,
  METHODS,
  textBlock,
  textResourceBlock,
  v1,
} from '@parley/protocol';
import { allowsUpdate, audioBlock } from '@parley/protocol/helpers';
import { v1Unstable } from '@parley/protocol/unstable';
import { v2Unstable } from '@parley/protocol/v2/unstable';
import { describe, expect, it } from 'vitest';

describe('capabilities', () => {
  it('are unsupported when omitted, null or false', () => {
    expect(canLoadSession(undefined)).toBe(false);
    expect(canLoadSession({ loadSession: false })).toBe(false);
    expect(canListSessions({ sessionCapabilities: { list: null } })).toBe(false);
    expect(canReadTextFile({ fs: { writeTextFile: true } })).toBe(false);
    expect(canUseTerminals(null)).toBe(false);
  });

  it('are supported when true or an object, even an empty one', () => {
    expect(canLoadSession({ loadSession: true })).toBe(true);
    expect(canListSessions({ sessionCapabilities: { list: {} } })).toBe(true);
  });

  it('advertise no elicitation by an empty object', () => {
    expect(canElicit({ elicitation: {} }, 'form')).toBe(false);
    expect(canElicit({ elicitation: { form: null, url: {} } }, 'form')).toBe(false);
    expect(canElicit({ elicitation: { form: {} } }, 'form')).toBe(true);
    expect(isMethodAvailable(METHODS['elicitation/create'], { clientCapabilities: { elicitation: {} } })).toBe(false);
    expect(isMethodAvailable(METHODS['elicitation/create'], { clientCapabilities: { elicitation: { url: {} } } })).toBe(
      true,
    );
  });

  it('allow text and links in every prompt, and other content only when advertised', () => {
    const image = imageBlock({ data: 'AA==', mimeType: 'image/png' });
    expect(allowsContent(undefined, textBlock('x'))).toBe(true);
    expect(allowsContent({}, linkBlock({ uri: 'file:///a' }))).toBe(true);
    expect(allowsContent({}, image)).toBe(false);
    expect(allowsContent({ image: true }, image)).toBe(true);
    expect(allowsContent({ image: true }, audioBlock({ data: '', mimeType: 'audio/wav' }))).toBe(false);
    expect(allowsContent({ embeddedContext: true }, textResourceBlock({ uri: 'x:y', text: '' }))).toBe(true);
  });

  it('allow MCP servers over stdio always, others when advertised', () => {
    expect(acceptsMcpServer(undefined, { name: 'a', command: '/b', args: [], env: [] })).toBe(true);
    expect(acceptsMcpServer({ sse: true }, { type: 'http', name: 'a', url: 'x', headers: [] })).toBe(false);
    expect(acceptsMcpServer({ sse: true }, { type: 'sse', name: 'a', url: 'x', headers: [] })).toBe(true);
  });

  it('gate notices and compaction, and no other update', () => {
    const notice = { sessionUpdate: 'notice', severity: 'info', title: 'x' } as const;
    expect(allowsUpdate({}, notice)).toBe(false);
    expect(allowsUpdate({ session: { notices: {} } }, notice)).toBe(true);
    expect(allowsUpdate(undefined, { sessionUpdate: 'plan', entries: [] })).toBe(true);
  });

  it('are not found on a prototype', () => {
    expect(hasCapability({ agentCapabilities: {} }, 'agentCapabilities.constructor')).toBe(false);
  });
});

describe('isMethodAvailable', () => {
  it.each([v1, v1Unstable, v2Unstable])(
    'opens each gated method by its capability alone',
    ({ requests, notifications }) => {
      for (const spec of [...Object.values(requests), ...Object.values(notifications)]) {
        expect(isMethodAvailable(spec, {})).toBe(spec.gate.length === 0);
        for (const path of spec.gate) expect(isMethodAvailable(spec, advertise(path))).toBe(true);
      }
    },
  );
});

/** `a.b.c` as `{ a: { b: { c: {} } } }`. */
function advertise(path: string): Record<string, object> {
  return path.split('.').reduceRight<Record<string, object>>((inner, key) => ({ [key]: inner }), {});
}
