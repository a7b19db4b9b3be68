import { describe, expect, it } from 'vitest';
import { type AgentOffer, type AgentOffers, agentOffersFromV1, clientOffersFromV1, v1CapabilityOf } from '../index.ts';

function isOffered([name, value]: [string, unknown]): boolean {
  return name !== 'authMethods' && name !== 'mcpStdio' && value === true;
}

function listOffered(offers: AgentOffers): string[] {
  return Object.entries(offers)
    .filter(isOffered)
    .map(([name]) => name);
}

/** `a.b.c` as `{ a: { b: { c: {} } } }`. */
function advertise(path: string): Record<string, object> {
  return path.split('.').reduceRight<Record<string, object>>((inner, key) => ({ [key]: inner }), {});
}

describe('the offers of an agent that speaks version 1', () => {
  it('are none where it advertises nothing', () => {
    expect(listOffered(agentOffersFromV1({}))).toEqual([]);
    expect(agentOffersFromV1({}).authMethods).toEqual([]);
    // Every agent of version 1 takes MCP servers over stdio.
    expect(agentOffersFromV1({}).mcpStdio).toBe(true);
    expect(
      listOffered(
        agentOffersFromV1({ agentCapabilities: { loadSession: false, sessionCapabilities: { list: null } } }),
      ),
    ).toEqual([]);
  });

  it('are read from the capability that bears its name in errors', () => {
    const isCapability = (name: string): boolean => !['authMethods', 'cursors', 'mcpStdio'].includes(name);
    const offers = Object.keys(agentOffersFromV1({})).filter(isCapability) as AgentOffer[];
    for (const offer of offers) {
      expect(agentOffersFromV1(advertise(v1CapabilityOf(offer)))[offer], offer).toBe(true);
    }
    expect(v1CapabilityOf('resumeSession')).toBe('agentCapabilities.sessionCapabilities.resume');
  });

  it('hold cursors where it says so in `_meta`, which is no capability of the protocol', () => {
    expect(agentOffersFromV1({ _meta: { 'parley/cursor': true } }).cursors).toBe(true);
    expect(agentOffersFromV1({ _meta: { 'parley/cursor': 'yes' } }).cursors).toBe(false);
    expect(v1CapabilityOf('cursors')).toBe('_meta["parley/cursor"]');
  });

  it('hold the ways to log in', () => {
    const authMethods = [{ id: 'key', name: 'API key' }];
    expect(agentOffersFromV1({ authMethods }).authMethods).toEqual(authMethods);
  });
});

describe('the offers of a client that speaks version 1', () => {
  it('hold what is unstable only for an agent that uses it', () => {
    const capabilities = { fs: { readTextFile: true }, plan: {}, subagents: {} };
    expect(clientOffersFromV1({ clientCapabilities: capabilities }, true)).toMatchObject({
      readTextFile: true,
      plans: true,
      subagents: true,
    });
    expect(clientOffersFromV1({ clientCapabilities: capabilities }, false)).toMatchObject({
      writeTextFile: false,
      plans: false,
    });
  });
});
