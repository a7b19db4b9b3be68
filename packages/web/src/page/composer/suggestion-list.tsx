import type { JSX } from 'preact';
import type { Suggestion } from './use-suggestions.ts';

interface SuggestionListProps {
  readonly suggestions: readonly Suggestion[];
  readonly selected: number;
  readonly label: string;
  readonly onChoose: (suggestion: Suggestion) => void;
}

export const LIST_ID = 'composer-suggestions';

/** What can be chosen, above the text; the keys belong to the text. */
export function SuggestionList({ suggestions, selected, label, onChoose }: SuggestionListProps): JSX.Element {
  return (
    <div class="composer-suggestions" id={LIST_ID} role="listbox" aria-label={label}>
      {suggestions.map((suggestion, index) => (
        <div
          key={suggestion.value}
          id={`${LIST_ID}-${index}`}
          class="composer-suggestion"
          role="option"
          tabIndex={-1}
          aria-selected={index === selected}
          onMouseDown={(event) => {
            // The text keeps the focus.
            event.preventDefault();
            onChoose(suggestion);
          }}
        >
          <span class="composer-suggestion-name">{suggestion.label}</span>
          {suggestion.description !== undefined && (
            <span class="composer-suggestion-words">{suggestion.description}</span>
          )}
        </div>
      ))}
    </div>
  );
}
