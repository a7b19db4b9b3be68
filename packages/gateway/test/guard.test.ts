import { agent } from '@parley/agent';
import { MATRIX_HOST, MATRIX_ORIGIN, runGuardMatrix } from '@parley/testing/guard-matrix';
import { describe, expect, it, onTestFinished } from 'vitest';
import { metrics, operationRoutes } from '../src/operations/index.ts';
import { until } from './support/hosting.ts';
import { ofKind, watched } from './support/watched.ts';

describe('the port of a gateway', () => {
  it('lets in only the right cells of Host x Origin x token x method, at agents, health checks and metrics', async () => {
    const own = () => agent({ name: 'own', version: '1' }).onPrompt(async () => {});
    const { server, events } = watched({ agents: { one: own(), two: own() } });
    const numbers = metrics();
    onTestFinished(() => numbers.close());
    const port = await server.listen({
      hosts: [MATRIX_HOST],
      origins: [MATRIX_ORIGIN],
      tokens: { ada: 'token-of-ada', ben: 'token-of-ben' },
      routes: operationRoutes({ gateway: server, metrics: numbers }),
    });
    onTestFinished(() => port.close({ graceMs: 100 }));
    const { cells, wrong } = await runGuardMatrix({
      port: port.port,
      tokens: ['token-of-ada', 'token-of-ben'],
      paths: { '/acp': 'token', '/acp/two': 'token', '/healthz': 'anyone', '/metrics': 'token' },
    });
    expect(wrong).toEqual([]);
    expect(cells).toBe(4 * 11 * 9 * 9 * 7);
    await until(() => server.state.connections === 0);
    const seen = ofKind(events, 'client_connected').map(({ agent: name, principal }) => `${name} ${principal}`);
    expect(new Set(seen)).toEqual(new Set(['one ada', 'one ben', 'two ada', 'two ben']));
    // Thousands were refused, and told of in a bounded number of events.
    const refused = ofKind(events, 'client_refused');
    expect(refused.length).toBeLessThan(cells / 10);
    expect(refused.some(({ suppressed }) => suppressed > 0)).toBe(true);
    expect(JSON.stringify(refused)).not.toContain('token-of');
  }, 300_000);
});
