import { describe, expect, it, onTestFinished } from 'vitest';
import type { GatewayEvent } from '../events/gateway-event.ts';
import { metrics } from './metrics.ts';
import { Counter, gauge, Histogram } from './series.ts';

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

describe('metrics', () => {
  it('count what happens, and how long it took', () => {
    const { onEvent, text } = open();
    onEvent(REQUEST);
    onEvent({ ...REQUEST, durationMs: 200 });
    onEvent({ ...REQUEST, outcome: 'error' });
    const lines = text().split('\n');
    expect(lines).toContain('parley_requests_total{agent="one",direction="in",method="session/prompt",outcome="ok"} 2');
    expect(lines).toContain(
      'parley_request_duration_seconds_bucket{direction="in",method="session/prompt",le="0.025"} 2',
    );
    expect(lines).toContain(
      'parley_request_duration_seconds_bucket{direction="in",method="session/prompt",le="+Inf"} 3',
    );
    expect(lines).toContain('parley_request_duration_seconds_count{direction="in",method="session/prompt"} 3');
    expect(lines.find((line) => line.startsWith('process_resident_memory_bytes '))).toMatch(/ \d{6,}$/);
    expect(lines.some((line) => line.startsWith('parley_event_loop_lag_seconds{quantile="0.99"}'))).toBe(true);
  });

  it('have no label that a client can make up', () => {
    const { onEvent, text } = open();
    for (let n = 0; n < 50; n += 1) onEvent({ ...REQUEST, method: `_made/up${n}`, principal: `somebody${n}` });
    expect(text()).toContain('method="other",outcome="ok"} 50');
    expect(text()).not.toMatch(/made|somebody/);
  });

  it('tell what there is at the moment, by agent', () => {
    const told = open().text({
      isReady: false,
      reasons: ['The gateway drains.'],
      agents: [{ name: 'one', processes: 2, sessions: 3, turns: 1 }],
      connections: 4,
      turns: 1,
      questions: 5,
    });
    for (const line of [
      'parley_ready 0',
      'parley_connections 4',
      'parley_questions_open 5',
      'parley_turns{agent="one"} 1',
      'parley_sessions{agent="one"} 3',
      'parley_agent_processes{agent="one"} 2',
    ])
      expect(told.split('\n')).toContain(line);
  });

  it('are written as Prometheus reads them: each name once with HELP and TYPE, and everything escaped', () => {
    const counter = new Counter('a_total', 'What \\ is\ncounted.');
    counter.add({ label: 'a "b" \\ c\nd' });
    expect(counter.text()).toBe(
      '# HELP a_total What \\\\ is\\ncounted.\n# TYPE a_total counter\na_total{label="a \\"b\\" \\\\ c\\nd"} 1\n',
    );
    const histogram = new Histogram('b_seconds', 'How long.', [1, 2]);
    histogram.observe(1);
    histogram.observe(3);
    expect(histogram.text()).toBe(
      [
        '# HELP b_seconds How long.',
        '# TYPE b_seconds histogram',
        'b_seconds_bucket{le="1"} 1',
        'b_seconds_bucket{le="2"} 1',
        'b_seconds_bucket{le="+Inf"} 2',
        'b_seconds_sum 4',
        'b_seconds_count 2',
        '',
      ].join('\n'),
    );
    expect(gauge('c', 'Now.', [[{}, 0.5]])).toBe('# HELP c Now.\n# TYPE c gauge\nc 0.5\n');
    const all = open().text();
    const names = [...all.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name);
    expect(new Set(names).size).toBe(names.length);
    expect([...all.matchAll(/^# HELP (\S+) /gm)].map(([, name]) => name)).toEqual(names);
    for (const line of all.split('\n'))
      expect(line).toMatch(/^(# (HELP|TYPE) .+|[a-z_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? [\d.e+-]+|)$/);
  });
});
