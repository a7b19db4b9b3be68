import { describe, expect, it } from 'vitest';
import type { AgentOffer, AgentOffers } from '../index.ts';
import { agentOffersFromV2, clientOffersFromV2, v2CapabilityOf } from './index.ts';

function listOffered(offers: AgentOffers): string[] {
  return Object.entries(offers)
    .filter(([, value]) => value === true)
    .map(([name]) => name);
}

/** `a.b.c` as `{ a: { b: { c: {} } } }`. */
function advertise(path: string): Record<string, object> {
  return path.split('.').reduceRight<Record<string, object>>((inner, key) => ({ [key]: inner }), {});
}

describe('the offers of an agent that speaks version 2', () => {
  it('are none where it advertises nothing', () => {
    expect(listOffered(agentOffersFromV2({}))).toEqual([]);
    expect(listOffered(agentOffersFromV2({ capabilities: { session: null } }))).toEqual([]);
  });

  it('hold all that every agent with sessions can do', () => {
    expect(listOffered(agentOffersFromV2({ capabilities: { session: {} } }))).toEqual([
      'loadSession',
      'resumeSession',
      'listSessions',
      'closeSession',
    ]);
  });

  it('are read from the capability that bears its name in errors', () => {
    const elsewhere = ['authMethods', 'cursors', 'logout', 'mcpSse'];
    const offers = Object.keys(agentOffersFromV2({})).filter((name) => !elsewhere.includes(name)) as AgentOffer[];
    expect(offers.length).toBeGreaterThan(15);
    for (const offer of offers) {
      expect(agentOffersFromV2(advertise(v2CapabilityOf(offer)))[offer], offer).toBe(true);
    }
    expect(v2CapabilityOf('deleteSession')).toBe('capabilities.session.delete');
    expect(v2CapabilityOf('cursors')).toBe('_meta["parley/cursor"]');
  });

  it('hold a way out wherever there is a way in', () => {
    const offers = agentOffersFromV2({ authMethods: [{ type: 'agent', methodId: 'key', name: 'API key' }] });
    expect(offers).toMatchObject({ logout: true, authMethods: [{ id: 'key', name: 'API key' }] });
    expect(v2CapabilityOf('logout')).toBe('authMethods');
  });

  it('never hold MCP servers over SSE', () => {
    expect(agentOffersFromV2(advertise('capabilities.session.mcp.sse')).mcpSse).toBe(false);
  });
});

describe('the offers of a client that speaks version 2', () => {
  it('hold every update and none of its files and terminals', () => {
    expect(clientOffersFromV2({}, false)).toEqual({
      readTextFile: false,
      writeTextFile: false,
      terminals: false,
      elicitForm: false,
      elicitUrl: false,
      notices: true,
      changingNotices: false,
      compaction: true,
      booleanOptions: true,
      terminalAuth: false,
      agentTerminals: true,
      cursors: false,
      ownTurnsOnly: false,
      plans: true,
      subagents: false,
      nestedSubagents: false,
    });
  });

  it('hold what it advertises, and what is unstable only for an agent that uses it', () => {
    const capabilities = {
      auth: { terminal: {} },
      elicitation: { form: {}, url: null },
      _meta: { 'parley/notice': true, 'parley/subagent': true },
    };
    expect(clientOffersFromV2({ capabilities, _meta: { 'parley/cursor': true } }, true)).toMatchObject({
      elicitForm: true,
      elicitUrl: false,
      terminalAuth: true,
      cursors: true,
      ownTurnsOnly: false,
      changingNotices: true,
      subagents: true,
      nestedSubagents: true,
    });
  });
});
