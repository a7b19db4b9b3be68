import type { SessionEvent, ToolCallEvent } from '@parley/session';
import type { PermissionSignal, ResultSignal, Signal, UsageSignal } from '../reading/signal.ts';
import { ToldText } from './told-text.ts';
import { ToldToolCalls } from './told-tool-calls.ts';
import type { FindToolFacts } from './tool-facts.ts';

/** Where a turn's output goes. */
export interface OutputTarget {
  readonly cwd: string;
  /** A new id, unique in the session. */
  newId(what: 'message' | 'call'): string;
  /** Returns a promise only when it is better to wait. */
  tell(event: SessionEvent): void | Promise<void>;
  /** The command asks whether a tool call may run; the call has been told. */
  ask(question: PermissionSignal, call: ToolCallEvent): void;
  onSession(id: string): void;
  onModel(model: string): void;
  onTitle(title: string): void;
  addTokens(usage: UsageSignal): void;
}

/** Tells what the lines of one turn say as events of a session: in order, valid, and each thing once. */
export class TurnOutput {
  readonly #target: OutputTarget;
  readonly #messages: ToldText;
  readonly #thoughts: ToldText;
  readonly #calls: ToldToolCalls;
  #slow: Promise<void> | undefined;
  #hasTold = false;
  #error: string | undefined;
  #result: ResultSignal | undefined;

  constructor(target: OutputTarget, factsOf: FindToolFacts) {
    this.#target = target;
    const tell = (event: SessionEvent): void => {
      this.#hasTold = true;
      const slow = target.tell(event);
      if (slow) this.#slow = slow;
    };
    this.#messages = new ToldText({ type: 'message', newId: () => target.newId('message'), tell });
    this.#thoughts = new ToldText({ type: 'thought', newId: () => target.newId('message'), tell });
    this.#calls = new ToldToolCalls({ cwd: target.cwd, newId: () => target.newId('call'), tell, factsOf });
  }

  /** The line that ended the turn; of several, the last. */
  get result(): ResultSignal | undefined {
    return this.#result;
  }

  /** What went wrong, unless the turn came to a good end after it. */
  get error(): string | undefined {
    return this.#error;
  }

  /** Whether anything was told at all. */
  get hasTold(): boolean {
    return this.#hasTold || !this.#messages.isEmpty || !this.#thoughts.isEmpty;
  }

  take(signal: Signal): void {
    switch (signal.type) {
      case 'message':
      case 'thought':
        return this.#takeText(signal);
      case 'tool_call':
      case 'tool_result':
        this.#endMessages();
        this.#calls.take(signal);
        return;
      case 'plan':
        this.#endMessages();
        return void this.#tell({ type: 'plan', entries: signal.entries });
      case 'usage':
        return this.#takeUsage(signal);
      case 'error':
        this.#error = signal.message;
        return;
      case 'permission': {
        this.#endMessages();
        return this.#target.ask(signal, this.#calls.take({ ...signal.call, status: 'pending' }));
      }
      case 'session':
        return this.#target.onSession(signal.id);
      case 'model':
        return this.#target.onModel(signal.model);
      case 'title':
        return this.#target.onTitle(signal.title);
      case 'notice':
        return void this.#tell(signal);
      case 'result':
        return this.#takeResult(signal);
    }
  }

  /** Tells what waits to be told together; a promise when it is better to wait before reading on. */
  flush(): void | Promise<void> {
    this.#thoughts.flush();
    this.#messages.flush();
    const slow = this.#slow;
    this.#slow = undefined;
    return slow;
  }

  /** The turn is over: nothing stays open. */
  end(how: 'completed' | 'failed' | 'cancelled'): void {
    this.flush();
    this.#calls.end(how);
  }

  #takeText({ type, text, isPiece, id }: Extract<Signal, { type: 'message' | 'thought' }>): void {
    const [told, other] = type === 'message' ? [this.#messages, this.#thoughts] : [this.#thoughts, this.#messages];
    other.endMessage();
    if (isPiece) told.takePiece(text, id);
    else told.takeWhole(text, id);
  }

  #takeResult(result: ResultSignal): void {
    this.#result = result;
    this.#thoughts.endMessage();
    if (result.isError) {
      this.#error = result.text ?? this.#error ?? 'The command failed and did not say why.';
      return;
    }
    this.#error = undefined;
    if (result.text !== undefined) this.#messages.takeResult(result.text);
  }

  #takeUsage(usage: UsageSignal): void {
    // A result that comes twice has not cost twice.
    if (!this.#result) this.#target.addTokens(usage);
    const { used, size, cost } = usage;
    if (used === undefined || size === undefined) return;
    this.#tell({ type: 'usage', used, size, ...(cost !== undefined && { cost: { amount: cost, currency: 'USD' } }) });
  }

  #endMessages(): void {
    this.#thoughts.endMessage();
    this.#messages.endMessage();
  }

  #tell(event: SessionEvent): void {
    this.#hasTold = true;
    const slow = this.#target.tell(event);
    if (slow) this.#slow = slow;
  }
}
