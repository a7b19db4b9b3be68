import { connect, type Socket } from 'node:net';
import { createRandom } from '../mutations/index.ts';
import type { Fault, FaultKind, Moment, Way, WireFault } from './fault.ts';
import { isConnectFault } from './fault.ts';
import { OneWay } from './one-way.ts';

export interface ProxiedConnectionOptions {
  /** Which one it is, from 0. */
  readonly index: number;
  readonly client: Socket;
  readonly target: { readonly host: string; readonly port: number };
  readonly seed: number;
  readonly onFault: (kind: FaultKind) => void;
  readonly onForwarded: (way: Way, bytes: number) => void;
  /** The server is there. */
  readonly onThrough: () => void;
  readonly onEnd: () => void;
}

/** One connection of a client, and the one to the server that it is forwarded to. */
export class ProxiedConnection {
  readonly index: number;
  readonly #options: ProxiedConnectionOptions;
  readonly #client: Socket;
  #server: Socket | undefined;
  #ways: Readonly<Record<Way, OneWay>> | undefined;
  /** Told before it was through. */
  #waiting: WireFault[] = [];
  /** Nobody is told of anything any more. */
  #isHalfOpen = false;
  #isOver = false;

  constructor(options: ProxiedConnectionOptions) {
    this.index = options.index;
    this.#options = options;
    this.#client = options.client;
    this.#client.on('error', () => {});
    this.#client.once('close', (hadError) => this.#lose(hadError, this.#server));
  }

  get bytesToClient(): number {
    return this.#ways?.to_client.forwarded ?? 0;
  }

  get bytesToServer(): number {
    return this.#ways?.to_server.forwarded ?? 0;
  }

  /** Dials the server and lets everything through that no fault keeps back. */
  forward(): void {
    if (this.#isOver || this.#server) return;
    const server = connect(this.#options.target);
    server.setNoDelay(true);
    this.#server = server;
    server.on('error', () => {});
    server.once('close', (hadError) => this.#lose(hadError, this.#client));
    server.once('connect', this.#options.onThrough);
    this.#ways = {
      to_client: this.#oneWay(server, this.#client, 'to_client'),
      to_server: this.#oneWay(this.#client, server, 'to_server'),
    };
    for (const fault of this.#waiting.splice(0)) this.#start(fault);
  }

  /** What it suffers from now on. A connect fault is of no use once it is through. */
  apply(fault: Fault): void {
    if (isConnectFault(fault)) {
      this.#options.onFault(fault.kind);
      if (fault.kind === 'refuse') this.reset();
    } else if (this.#ways) this.#start(fault);
    else this.#waiting.push(fault);
  }

  cut(): void {
    for (const way of waysOf(undefined)) this.#ways?.[way].stop();
    this.#client.destroySoon();
    this.#server?.destroySoon();
  }

  reset(): void {
    this.#client.resetAndDestroy();
    this.#server?.resetAndDestroy();
  }

  /** Frees both sockets, whatever their state. */
  destroy(): void {
    this.#isOver = true;
    this.#client.destroy();
    this.#server?.destroy();
  }

  #oneWay(from: Socket, to: Socket, way: Way): OneWay {
    const seed = this.#options.seed + this.index * 2 + (way === 'to_client' ? 0 : 1);
    const onForwarded = (bytes: number): void => this.#options.onForwarded(way, bytes);
    return new OneWay({ from, to, random: createRandom(seed), onForwarded });
  }

  #start(fault: WireFault): void {
    if (fault.kind === 'latency') {
      this.#options.onFault(fault.kind);
      for (const way of waysOf(fault.way)) this.#ways?.[way].delay(fault.ms, fault.jitterMs ?? 0);
    } else if (fault.kind === 'slow') {
      this.#options.onFault(fault.kind);
      for (const way of waysOf(fault.way)) this.#ways?.[way].slowDown(fault.bytesPerSecond);
    } else {
      this.#at(fault, () => {
        if (this.#isOver) return;
        this.#options.onFault(fault.kind);
        if (fault.kind === 'cut') this.cut();
        else if (fault.kind === 'reset') this.reset();
        else this.#stop(fault.stops);
      });
    }
  }

  #at({ afterBytes = 0, way = 'to_client' }: Moment, happen: () => void): void {
    this.#ways?.[way].after(afterBytes, happen);
  }

  #stop(stops: Way | undefined): void {
    this.#isHalfOpen = true;
    for (const way of waysOf(stops)) this.#ways?.[way].stop();
  }

  /** One end is gone; the other hears of it as it happened, unless the cable is pulled. */
  #lose(hadError: boolean, other: Socket | undefined): void {
    if (this.#isHalfOpen && other && !other.destroyed && !this.#isOver) return;
    if (!this.#isOver) {
      this.#isOver = true;
      this.#options.onEnd();
    }
    if (!other || other.destroyed) return;
    if (hadError) other.resetAndDestroy();
    else other.destroySoon();
  }
}

function waysOf(way: Way | undefined): readonly Way[] {
  return way ? [way] : ['to_client', 'to_server'];
}
