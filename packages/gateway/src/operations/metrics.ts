import { monitorEventLoopDelay } from 'node:perf_hooks';
import { METHODS } from '@parley/protocol';
import { METHODS as METHODS_V2 } from '@parley/protocol/v2';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { GatewayEvent } from '../events/gateway-event.ts';
import type { GatewayState } from '../gateway-options.ts';

/** What happens in a gateway, as numbers. */
export interface Metrics {
  readonly onEvent: (event: GatewayEvent) => void;
  /** All figures in the text format of Prometheus; with the gateway's state, those of this moment too. */
  text(state?: GatewayState): Promise<string>;
  /** Stops measuring the event loop. */
  close(): void;
}

const REQUEST_LABELS = ['agent', 'direction', 'method', 'outcome'];
const REQUEST_BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];
const PEOPLE_BOUNDS = [1, 2.5, 5, 10, 30, 60, 300, 900, 1800, 3600];

/** Counts events. No label holds what a client can make up: principals are left out, and unknown methods and reasons are `other`. */
export function metrics(): Metrics {
  const events = new Registry();
  const counter = (name: string, help: string, ...labelNames: readonly string[]): Counter =>
    new Counter({ name, help, labelNames, registers: [events] });
  const histogram = (name: string, help: string, buckets: number[], ...labelNames: readonly string[]): Histogram =>
    new Histogram({ name, help, buckets, labelNames, registers: [events] });
  const connected = counter('parley_clients_connected_total', 'Clients that connected.', 'agent', 'via');
  const left = counter('parley_clients_left_total', 'Clients that disconnected.', 'agent', 'reason');
  const refused = counter('parley_clients_refused_total', 'HTTP requests and connections refused.', 'status');
  const requests = counter('parley_requests_total', 'JSON-RPC requests answered.', ...REQUEST_LABELS);
  const requestSeconds = histogram(
    'parley_request_duration_seconds',
    'Duration of JSON-RPC requests.',
    REQUEST_BOUNDS,
    'direction',
    'method',
  );
  const capped = counter('parley_capped_total', 'Requests and connections that hit a limit of their principal.', 'cap');
  const sessions = counter('parley_sessions_opened_total', 'Sessions opened.', 'agent');
  const turns = counter('parley_turns_total', 'Turns ended.', 'agent', 'outcome');
  const turnSeconds = histogram('parley_turn_duration_seconds', 'Duration of turns.', PEOPLE_BOUNDS, 'agent');
  const questions = counter('parley_questions_total', 'Questions closed.', 'agent', 'type', 'outcome');
  const questionSeconds = histogram(
    'parley_question_wait_seconds',
    'Time from a question to its answer or withdrawal.',
    PEOPLE_BOUNDS,
    'agent',
  );
  const settings = counter('parley_settings_changed_total', 'Changes of modes and options.', 'agent');
  const processes = counter('parley_agent_processes_total', 'Starts, stops and crashes of agents.', 'agent', 'event');
  const diagnostics = counter('parley_diagnostics_total', 'Problems reported.', 'agent', 'kind');
  const store = counter('parley_store_failures_total', 'Times that the store became unwritable.');
  const audit = counter('parley_audit_failures_total', 'Times that the audit log became unwritable.');
  const lag = monitorEventLoopDelay({ resolution: 20 });
  lag.enable();

  const onEvent = (event: GatewayEvent): void => {
    switch (event.kind) {
      case 'client_connected':
        return connected.inc({ agent: event.agent, via: event.via ?? 'other' });
      case 'client_left':
        return left.inc({ agent: event.agent, reason: event.reason });
      case 'client_refused':
        return refused.inc({ status: String(event.status ?? 'capped') }, 1 + event.suppressed);
      case 'request': {
        const { agent, direction, outcome, durationMs } = event;
        const method = known(METHOD_NAMES, event.method);
        requests.inc({ agent, direction, method, outcome });
        return requestSeconds.observe({ direction, method }, durationMs / 1000);
      }
      case 'session_opened':
        return sessions.inc({ agent: event.agent });
      case 'turn_ended': {
        const { agent, stopReason, error, durationMs } = event;
        turns.inc({ agent, outcome: error ? 'failed' : known(STOP_REASONS, stopReason ?? 'end_turn') });
        return turnSeconds.observe({ agent }, durationMs / 1000);
      }
      case 'question_answered':
      case 'question_withdrawn': {
        const outcome = event.kind === 'question_answered' ? 'answered' : 'withdrawn';
        questions.inc({ agent: event.agent, type: event.question.type, outcome });
        return questionSeconds.observe({ agent: event.agent }, event.durationMs / 1000);
      }
      case 'settings_changed':
        return settings.inc({ agent: event.agent });
      case 'agent_started':
      case 'agent_stopped':
      case 'agent_crashed':
        return processes.inc({ agent: event.agent, event: event.kind.slice('agent_'.length) });
      case 'capped':
        return capped.inc({ cap: event.cap });
      case 'diagnostic':
        return diagnostics.inc({ agent: event.agent, kind: event.diagnostic.kind });
      case 'store_changed':
        return event.isWritable ? undefined : store.inc();
      case 'audit_failed':
        return audit.inc();
      default:
        return undefined;
    }
  };

  const text = async (state?: GatewayState): Promise<string> => {
    const quantiles = [
      ['0.5', lag.percentile(50)] as const,
      ['0.99', lag.percentile(99)] as const,
      ['1', lag.max] as const,
    ];
    lag.reset();
    const now = new Registry();
    const gauge = (name: string, help: string, values: readonly (readonly [Labels, number])[]): void => {
      const made = new Gauge({ name, help, labelNames: Object.keys(values[0]?.[0] ?? {}), registers: [now] });
      for (const [labels, value] of values) made.set(labels, value);
    };
    if (state) describeState(state, gauge);
    gauge(
      'parley_event_loop_lag_seconds',
      'Delay of the event loop since the last scrape.',
      quantiles.map(([quantile, nanoseconds]) => [{ quantile }, toSeconds(nanoseconds)]),
    );
    gauge('process_resident_memory_bytes', 'Resident memory size in bytes.', [[{}, process.memoryUsage.rss()]]);
    gauge('process_start_time_seconds', 'Start time of the process since the Unix epoch.', [[{}, STARTED_AT]]);
    return (await events.metrics()) + (await now.metrics());
  };
  return { onEvent, text, close: () => lag.disable() };
}

type Labels = Readonly<Record<string, string>>;

type AddGauge = (name: string, help: string, values: readonly (readonly [Labels, number])[]) => void;

function describeState({ isReady, connections, questions, agents }: GatewayState, gauge: AddGauge): void {
  const byAgent = (of: (agent: GatewayState['agents'][number]) => number) =>
    agents.map((agent) => [{ agent: agent.name }, of(agent)] as const);
  gauge('parley_ready', '1 if the gateway accepts new work, else 0.', [[{}, isReady ? 1 : 0]]);
  gauge('parley_connections', 'Connected clients.', [[{}, connections]]);
  gauge('parley_questions_open', 'Questions without an answer.', [[{}, questions]]);
  const turns = byAgent((agent) => agent.turns);
  const sessions = byAgent((agent) => agent.sessions);
  const processes = byAgent((agent) => agent.processes);
  gauge('parley_turns', 'Running turns.', turns);
  gauge('parley_sessions', 'Open sessions.', sessions);
  gauge('parley_agent_processes', 'Running processes of agents.', processes);
}

const METHOD_NAMES: ReadonlySet<string> = new Set([...Object.keys(METHODS), ...Object.keys(METHODS_V2)]);
const STOP_REASONS: ReadonlySet<string> = new Set([
  'end_turn',
  'max_tokens',
  'max_turn_requests',
  'refusal',
  'cancelled',
]);
const STARTED_AT = Math.round(performance.timeOrigin) / 1000;

function known(names: ReadonlySet<string>, name: string): string {
  return names.has(name) ? name : 'other';
}

/** An event loop that was not measured yet has no percentiles. */
function toSeconds(nanoseconds: number): number {
  return Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0;
}
