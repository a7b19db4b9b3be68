import { Component, type ComponentChildren, type JSX } from 'preact';

/** Keeps a fault of one view from taking the others with it, and offers to draw it again. */
export class FaultBorder extends Component<
  { readonly what: string; readonly children: ComponentChildren },
  { readonly error?: Error }
> {
  override state: { readonly error?: Error } = {};

  override componentDidCatch(error: Error): void {
    this.setState({ error });
  }

  override render(): ComponentChildren {
    const { what, children } = this.props;
    const { error } = this.state;
    return error ? this.#explain(what, error) : children;
  }

  #explain(what: string, error: Error): JSX.Element {
    return (
      <div class="problem" role="alert">
        <p>
          {what} cannot be shown: {error.message}
        </p>
        <button type="button" class="button" onClick={() => this.setState({ error: undefined } as object)}>
          Try again
        </button>
      </div>
    );
  }
}
