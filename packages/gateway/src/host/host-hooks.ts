import { randomUUID } from 'node:crypto';
import type { ActivityListener, Agent } from '@parley/agent';
import type { NamedSession, TrafficWire } from '../traffic/traffic-wire.ts';
import type { AgentProcess, EventSink } from './foreign/agent-process.ts';

/** How a gateway watches over the agents that it hosts. */
export interface HostHooks {
  /** Lets a principal have one more process, or throws; returns what gives it back. */
  readonly admitProcess?: (principal: string | undefined) => () => void;
  readonly onProcess?: (change: ProcessChange) => void;
  /** Gets what passes on the wire of a process, as it is. `principal` is undefined where all share it. */
  readonly openTraffic?: (
    principal: string | undefined,
    sessionOf: (name: string) => NamedSession | undefined,
  ) => TrafficWire | undefined;
}

/** A process was started, was stopped by its host, or has ended otherwise or never began. */
export interface ProcessChange {
  readonly kind: 'started' | 'stopped' | 'crashed';
  readonly process: string;
  readonly principal: string | undefined;
  readonly error?: unknown;
}

/** Tells what becomes of a process that is being started. */
export async function tellProcess<Sink extends EventSink>(
  starting: Promise<AgentProcess<Sink>>,
  principal: string | undefined,
  { onProcess }: HostHooks,
): Promise<AgentProcess<Sink>> {
  if (!onProcess) return starting;
  const fields = { process: randomUUID().slice(0, 8), principal };
  try {
    const started = await starting;
    onProcess({ ...fields, kind: 'started' });
    void started.connection.closed.then((error) =>
      onProcess(error === undefined ? { ...fields, kind: 'stopped' } : { ...fields, kind: 'crashed', error }),
    );
    return started;
  } catch (error) {
    onProcess({ ...fields, kind: 'crashed', error });
    throw error;
  }
}

/** Those who watch over an agent that is defined only when its first client comes. */
export class RelayedActivity {
  readonly #listeners = new Set<ActivityListener>();
  #drainMessage: string | undefined;
  #agent: Agent | undefined;

  observe(listener: ActivityListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  drain(message: string): void {
    this.#drainMessage = message;
    this.#agent?.drain(message);
  }

  /** One that is not defined yet runs nothing. */
  async interrupt(message: string): Promise<void> {
    await this.#agent?.interrupt(message);
  }

  follow(agent: Agent): void {
    this.#agent = agent;
    agent.observe((activity) => {
      for (const listener of this.#listeners) listener(activity);
    });
    if (this.#drainMessage !== undefined) agent.drain(this.#drainMessage);
  }
}
