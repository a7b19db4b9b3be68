import { monitorEventLoopDelay } from 'node:perf_hooks';
import { METHODS } from '@parley/protocol';
import { METHODS as METHODS_V2 } from '@parley/protocol/v2';
import type { GatewayEvent } from '../events/gateway-event.ts';
import type { GatewayState } from '../gateway-options.ts';
import { Counter, gauge, Histogram, type Series } from './series.ts';

/** What happens in a gateway, as numbers. */
export interface Metrics {
  readonly onEvent: (event: GatewayEvent) => void;
  /** All of it in the text format of Prometheus; with the gateway's state, what there is at this moment too. */
  text(state?: GatewayState): string;
  /** Stops measuring the event loop. */
  close(): void;
}

const REQUEST_BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];
const PEOPLE_BOUNDS = [1, 2.5, 5, 10, 30, 60, 300, 900, 1800, 3600];

/** Counts events. No label holds what a client can make up: names of principals, methods and reasons that nobody knows are left out. */
export function metrics(): Metrics {
  const connected = new Counter('parley_clients_connected_total', 'Clients that have come.');
  const left = new Counter('parley_clients_left_total', 'Clients that have gone.');
  const refused = new Counter('parley_clients_refused_total', 'Requests of HTTP and connections that were not let in.');
  const requests = new Counter('parley_requests_total', 'JSON-RPC requests that have come to their end.');
  const requestSeconds = new Histogram('parley_request_duration_seconds', 'How long requests took.', REQUEST_BOUNDS);
  const turns = new Counter('parley_turns_total', 'Turns that have ended.');
  const turnSeconds = new Histogram('parley_turn_duration_seconds', 'How long turns took.', PEOPLE_BOUNDS);
  const questions = new Counter('parley_questions_total', 'Questions of agents, and what became of them.');
  const questionSeconds = new Histogram('parley_question_wait_seconds', 'How long questions waited.', PEOPLE_BOUNDS);
  const sessions = new Counter('parley_sessions_opened_total', 'Sessions that were opened.');
  const settings = new Counter('parley_settings_changed_total', 'Modes and options that were chosen.');
  const processes = new Counter('parley_agent_processes_total', 'Processes of agents: started, stopped, crashed.');
  const capped = new Counter('parley_capped_total', 'Times that a principal has come to a cap.');
  const diagnostics = new Counter('parley_diagnostics_total', 'What went wrong, by kind.');
  const store = new Counter('parley_store_failures_total', 'Times that the store could not be written any more.');
  const audit = new Counter('parley_audit_failures_total', 'Times that the audit log could not be written any more.');
  const clients: Series[] = [connected, left, refused, requests, requestSeconds, capped];
  const work: Series[] = [sessions, turns, turnSeconds, questions, questionSeconds, settings];
  const all = [...clients, ...work, processes, diagnostics, store, audit];
  const lag = monitorEventLoopDelay({ resolution: 20 });
  lag.enable();

  const onEvent = (event: GatewayEvent): void => {
    switch (event.kind) {
      case 'client_connected':
        return connected.add({ agent: event.agent, via: event.via ?? 'other' });
      case 'client_left':
        return left.add({ agent: event.agent, reason: event.reason });
      case 'client_refused':
        return refused.add({ status: String(event.status ?? 'capped') }, 1 + event.suppressed);
      case 'request': {
        const { agent, direction, outcome, durationMs } = event;
        const method = known(METHOD_NAMES, event.method);
        requests.add({ agent, direction, method, outcome });
        return requestSeconds.observe(durationMs / 1000, { direction, method });
      }
      case 'session_opened':
        return sessions.add({ agent: event.agent });
      case 'turn_ended': {
        const { agent, stopReason, error, durationMs } = event;
        turns.add({ agent, outcome: error ? 'failed' : known(STOP_REASONS, stopReason ?? 'end_turn') });
        return turnSeconds.observe(durationMs / 1000, { agent });
      }
      case 'question_answered':
      case 'question_withdrawn': {
        const outcome = event.kind === 'question_answered' ? 'answered' : 'withdrawn';
        questions.add({ agent: event.agent, type: event.question.type, outcome });
        return questionSeconds.observe(event.durationMs / 1000, { agent: event.agent });
      }
      case 'settings_changed':
        return settings.add({ agent: event.agent });
      case 'agent_started':
      case 'agent_stopped':
      case 'agent_crashed':
        return processes.add({ agent: event.agent, event: event.kind.slice('agent_'.length) });
      case 'capped':
        return capped.add({ cap: event.cap });
      case 'diagnostic':
        return diagnostics.add({ agent: event.agent, kind: event.diagnostic.kind });
      case 'store_changed':
        return event.isWritable ? undefined : store.add();
      case 'audit_failed':
        return audit.add();
      default:
        return undefined;
    }
  };

  const text = (state?: GatewayState): string => {
    const lags = [['0.5', lag.percentile(50)] as const, ['0.99', lag.percentile(99)] as const, ['1', lag.max] as const];
    const seconds = lags.map(([quantile, nanoseconds]) => [{ quantile }, toSeconds(nanoseconds)] as const);
    lag.reset();
    const parts = [
      ...all.map((series) => series.text()),
      ...(state ? describeState(state) : []),
      gauge('parley_event_loop_lag_seconds', 'How late the event loop was since the last look.', seconds),
      gauge('process_resident_memory_bytes', 'Resident memory.', [[{}, process.memoryUsage.rss()]]),
      gauge('process_start_time_seconds', 'When this process was started.', [[{}, STARTED_AT]]),
    ];
    return parts.join('');
  };
  return { onEvent, text, close: () => lag.disable() };
}

function describeState({ isReady, connections, questions, agents }: GatewayState): string[] {
  const byAgent = (of: (agent: GatewayState['agents'][number]) => number) =>
    agents.map((agent) => [{ agent: agent.name }, of(agent)] as const);
  return [
    gauge('parley_ready', 'Whether new work is welcome.', [[{}, isReady ? 1 : 0]]),
    gauge('parley_connections', 'Clients that are connected.', [[{}, connections]]),
    gauge(
      'parley_turns',
      'Turns that run.',
      byAgent((agent) => agent.turns),
    ),
    gauge('parley_questions_open', 'Questions that wait for an answer.', [[{}, questions]]),
    gauge(
      'parley_sessions',
      'Sessions that are open.',
      byAgent((agent) => agent.sessions),
    ),
    gauge(
      'parley_agent_processes',
      'Processes of agents that run.',
      byAgent((agent) => agent.processes),
    ),
  ];
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
