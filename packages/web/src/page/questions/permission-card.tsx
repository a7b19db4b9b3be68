import type { PermissionQuestion } from '@parley/client';
import { requestFromToolCall } from '@parley/policy/request';
import { toolCallToV1 } from '@parley/session';
import { type AskedInput, COMMAND_FOLD, readAskedFor, TEXT_FOLD } from '@parley/session/view';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { OpenSession } from '../sessions/open-session.ts';
import { Diffs } from '../text/diff/diff.tsx';
import { Markdown } from '../text/markdown/late-markdown.tsx';
import { shortPath } from '../text/short-path.ts';
import { visibleLine, visibleText } from '../text/visible-text.ts';
import { SafetyNote } from '../thread/safety-note.tsx';
import { Folded } from './folded.tsx';
import { choiceOfKey, GUARD_MS } from './key-guard.ts';
import { moveInToolbar } from './move-in-toolbar.ts';
import { SCROLLED } from './scrolled.ts';

interface PermissionCardProps {
  readonly question: PermissionQuestion;
  readonly open: OpenSession;
  readonly onAnswer: (question: PermissionQuestion, reply: unknown) => void;
}

/** May this run? What exactly, where, why it is asked, and the agent's own answers in its order. */
export function PermissionCard({ question, open, onAnswer }: PermissionCardProps): JSX.Element {
  const { toolCall, options, because } = question;
  const { cwd } = open.session;
  const asked = readAskedFor(question, requestFromToolCall(toolCallToV1(toolCall)), { cwd });
  const { command, text } = asked;
  return (
    <>
      <div class="question-body" {...SCROLLED}>
        <h2 class="question-title">{visibleLine(asked.title)}</h2>
        {asked.words.map((words) => (
          <p key={words} class="question-words">
            {visibleText(words)}
          </p>
        ))}
        {command !== undefined && (
          <>
            <Folded text={visibleText(command.text)} limits={COMMAND_FOLD}>
              {(shown) => (
                <pre class="question-command" dir="ltr">
                  {shown}
                </pre>
              )}
            </Folded>
            <p class="question-place">
              in <code>{visibleLine(command.cwd)}</code>
            </p>
          </>
        )}
        {asked.url !== undefined && (
          <p class="question-place">
            Address: <code>{visibleLine(asked.url)}</code>
          </p>
        )}
        {asked.paths.map((path) => (
          <p key={path} class="question-place">
            <code>{shortPath(path, cwd)}</code>
          </p>
        ))}
        {asked.hasDiffs && <Diffs content={toolCall.content ?? []} cwd={cwd} isProposed />}
        {text !== undefined && (
          <Folded text={text} limits={TEXT_FOLD}>
            {(shown) => (
              <div class="question-text">
                <Markdown text={shown} />
              </div>
            )}
          </Folded>
        )}
        {asked.input.length > 0 && <Input fields={asked.input} />}
        <SafetyNote meta={toolCall.meta} />
        {because !== undefined && because !== 'The agent asks.' && (
          <p class="question-because">{visibleText(because)}</p>
        )}
      </div>
      <Answers question={question} options={options} open={open} onAnswer={onAnswer} />
    </>
  );
}

/** What the tool is given, by name. */
function Input({ fields }: { readonly fields: readonly AskedInput[] }): JSX.Element {
  return (
    <dl class="question-input" aria-label="Input">
      {fields.map(({ name, text, fold }, index) => (
        <div key={index}>
          <dt>{visibleLine(name)}</dt>
          <dd>
            <Folded text={visibleText(text)} limits={fold}>
              {(shown) => <pre dir="ltr">{shown}</pre>}
            </Folded>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Answers({
  question,
  options,
  open,
  onAnswer,
}: PermissionCardProps & { readonly options: PermissionQuestion['options'] }): JSX.Element {
  const [isTelling, setTelling] = useState(false);
  const isReady = useChoiceKeys(options.length, (index) => {
    const option = options[index];
    if (option) onAnswer(question, { optionId: option.optionId });
  });
  const rejection =
    options.find(({ kind }) => kind === 'reject_once') ?? options.find(({ kind }) => kind === 'reject_always');
  const tell = (words: string): void => {
    if (!rejection) return;
    onAnswer(question, { optionId: rejection.optionId });
    if (words.trim() !== '') open.session.prompt(words, { whenBusy: 'queue' }).result.catch(() => {});
  };
  return (
    <>
      <div class="question-answers" role="toolbar" aria-label="Answers" onKeyDown={moveInToolbar}>
        {options.map((option, index) => (
          <button
            key={option.optionId}
            type="button"
            class={`question-answer question-${kindOf(option.kind)}`}
            tabIndex={index === 0 ? 0 : -1}
            aria-disabled={!isReady}
            onClick={() => isReady && onAnswer(question, { optionId: option.optionId })}
          >
            {index < 9 && <kbd>{index + 1}</kbd>}
            {visibleLine(option.name)}
          </button>
        ))}
        {rejection && (
          <button
            type="button"
            class="question-answer question-other"
            tabIndex={-1}
            aria-expanded={isTelling}
            onClick={() => setTelling(!isTelling)}
          >
            Reject and say why
          </button>
        )}
      </div>
      {isTelling && <Reason onSend={tell} />}
    </>
  );
}

/** The answer itself has no room for words: they are the next prompt. */
function Reason({ onSend }: { readonly onSend: (words: string) => void }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <form
      class="question-reason"
      onSubmit={(event) => {
        event.preventDefault();
        onSend(input.current?.value ?? '');
      }}
    >
      <input
        ref={input}
        type="text"
        aria-label="What to do instead"
        placeholder="What to do instead; it is sent as the next prompt"
      />
      <button type="submit" class="question-answer question-reject">
        Reject
      </button>
    </form>
  );
}

function kindOf(kind: string): string {
  if (kind === 'allow_once') return 'allow';
  return kind === 'allow_always' || kind === 'reject_once' || kind === 'reject_always'
    ? kind.replace('_once', '').replace('_', '-')
    : 'other';
}

/** Number keys answer wherever the focus is, but in a text. False until the card was seen long enough. */
function useChoiceKeys(choices: number, choose: (index: number) => void): boolean {
  const [isReady, setReady] = useState(false);
  const last = useRef(choose);
  last.current = choose;
  useEffect(() => {
    const shownAt = performance.now();
    const timer = setTimeout(() => setReady(true), GUARD_MS);
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
      const isTyping = document.activeElement?.matches('input, textarea, select, [contenteditable]') ?? false;
      const index = choiceOfKey(event, { shownForMs: performance.now() - shownAt, isTyping, choices });
      if (index === undefined) return;
      event.preventDefault();
      last.current(index);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('keydown', onKeyDown);
    };
  }, [choices]);
  return isReady;
}
