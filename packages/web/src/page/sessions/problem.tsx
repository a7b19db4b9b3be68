import type { JSX } from 'preact';

/** What went wrong, in words, and what can be done. */
export function Problem({ text, onRetry }: { readonly text: string; readonly onRetry?: () => void }): JSX.Element {
  return (
    <div class="problem" role="alert">
      <p>{text}</p>
      {onRetry && (
        <button type="button" class="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** The agent wants a login first. Its class is loaded late, so that its code is looked at. */
export function isAuthRequired(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'auth_required';
}

export function describeProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { data } = error as { readonly data?: unknown };
  const detail = typeof data === 'object' && data !== null && 'details' in data ? ` ${String(data.details)}` : '';
  return `${error.message}${detail}`;
}
