import { describe, expect, it, onTestFinished } from 'vitest';
import type { GatewayEvent } from '../events/gateway-event.ts';
import { metrics } from './metrics.ts';

const REQUEST: GatewayEvent = {
  kind: 'request',
  at: 0,
  agent: 'one',
  principal: 'ada',
  connection: 'c1',
  direction: 'in',
  method: 'session/prompt',
  id: 1,
  durationMs: 20,
  outcome: 'ok',
};

function open() {
  const opened = metrics();
  onTestFinished(() => opened.close());
  return opened;
}

/** Each sample of a text: its name, its labels in the order of the alphabet, and its value. */
function samplesOf(text: string): ReadonlyMap<string, number> {
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    samples.map((line) => {
      const [, name = '', labels = '', value = ''] = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      const sorted = [...labels.matchAll(/[a-z_]+="(?:[^"\\]|\\.)*"/g)].map(([label]) => label).sort();
      return [`${name}{${sorted.join(',')}}`, Number(value)] as const;
    }),
  );
}

describe('metrics', () => {
  it('count what happens, and how long it took', async () => {
    const { onEvent, text } = open();
    onEvent(REQUEST);
    onEvent({ ...REQUEST, durationMs: 200 });
    onEvent({ ...REQUEST, outcome: 'error' });
    const samples = samplesOf(await text());
    const labels = 'direction="in",method="session/prompt"';
    const bucket = (le: string): string =>
      `parley_request_duration_seconds_bucket{direction="in",le="${le}",method="session/prompt"}`;
    expect(samples.get(`parley_requests_total{agent="one",${labels},outcome="ok"}`)).toBe(2);
    expect(samples.get(`parley_requests_total{agent="one",${labels},outcome="error"}`)).toBe(1);
    expect([bucket('0.01'), bucket('0.025'), bucket('0.25'), bucket('+Inf')].map((key) => samples.get(key))).toEqual([
      0, 2, 3, 3,
    ]);
    expect(samples.get(`parley_request_duration_seconds_count{${labels}}`)).toBe(3);
    expect(samples.get(`parley_request_duration_seconds_sum{${labels}}`)).toBeCloseTo(0.24);
    expect(samples.get('process_resident_memory_bytes{}')).toBeGreaterThan(100_000);
    expect(samples.has('parley_event_loop_lag_seconds{quantile="0.99"}')).toBe(true);
  });

  it('have no label that a client can make up', async () => {
    const { onEvent, text } = open();
    for (let n = 0; n < 50; n += 1) onEvent({ ...REQUEST, method: `_made/up${n}`, principal: `somebody${n}` });
    const told = await text();
    expect(samplesOf(told).get('parley_requests_total{agent="one",direction="in",method="other",outcome="ok"}')).toBe(
      50,
    );
    expect(told).not.toMatch(/made|somebody/);
  });

  it('show the state of the gateway, by agent, where it is given', async () => {
    const { text } = open();
    const state = {
      isReady: false,
      reasons: ['The gateway drains.'],
      agents: [{ name: 'one', processes: 2, sessions: 3, turns: 1 }],
      connections: 4,
      turns: 1,
      questions: 5,
    };
    const samples = samplesOf(await text(state));
    expect(['ready{}', 'connections{}', 'questions_open{}'].map((name) => samples.get(`parley_${name}`))).toEqual([
      0, 4, 5,
    ]);
    expect(['turns', 'sessions', 'agent_processes'].map((name) => samples.get(`parley_${name}{agent="one"}`))).toEqual([
      1, 3, 2,
    ]);
    expect(await text()).not.toContain('parley_ready');
    expect(samplesOf(await text({ ...state, agents: [], questions: 6 })).get('parley_questions_open{}')).toBe(6);
  });

  it('are written as Prometheus reads them: each name once with HELP and TYPE, and everything escaped', async () => {
    const { onEvent, text } = open();
    onEvent({ ...REQUEST, agent: 'a "b" \\ c\nd' });
    const all = await text();
    expect(all).toContain('agent="a \\"b\\" \\\\ c\\nd"');
    const names = [...all.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name);
    expect(new Set(names).size).toBe(names.length);
    expect([...all.matchAll(/^# HELP (\S+) /gm)].map(([, name]) => name)).toEqual(names);
    for (const line of all.split('\n'))
      expect(line).toMatch(
        /^(# (HELP|TYPE) .+|[a-z_]+(\{[a-z_]+="([^"\\]|\\.)*"(,[a-z_]+="([^"\\]|\\.)*")*\})? [\d.e+-]+|)$/,
      );
  });

  it('have the names and labels that dashboards know', async () => {
    const types = [...(await open().text()).matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(
      ([, name, type]) => `${name} ${type}`,
    );
    expect(types).toEqual([
      'parley_clients_connected_total counter',
      'parley_clients_left_total counter',
      'parley_clients_refused_total counter',
      'parley_requests_total counter',
      'parley_request_duration_seconds histogram',
      'parley_capped_total counter',
      'parley_sessions_opened_total counter',
      'parley_turns_total counter',
      'parley_turn_duration_seconds histogram',
      'parley_questions_total counter',
      'parley_question_wait_seconds histogram',
      'parley_settings_changed_total counter',
      'parley_agent_processes_total counter',
      'parley_diagnostics_total counter',
      'parley_store_failures_total counter',
      'parley_audit_failures_total counter',
      'parley_event_loop_lag_seconds gauge',
      'process_resident_memory_bytes gauge',
      'process_start_time_seconds gauge',
    ]);
  });
});
