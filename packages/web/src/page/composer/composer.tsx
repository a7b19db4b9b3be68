import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { late } from '../parts/late.tsx';
import type { OpenSession } from '../sessions/open-session.ts';
import { Icon } from '../thread/icon.tsx';
import { useTranscript } from '../thread/use-transcript.ts';
import { hintOf } from './completion.ts';
import { Settings } from './settings.tsx';
import { LIST_ID, SuggestionList } from './suggestion-list.tsx';
import { Usage } from './usage.tsx';
import { useAttachments } from './use-attachments.ts';
import { useDrops } from './use-drops.ts';
import { usePrompting } from './use-prompting.ts';
import { useWriting } from './use-writing.ts';

const Queue = late(async () => (await import('./queue.tsx')).Queue);
const AttachmentList = late(async () => (await import('./attachment-list.tsx')).AttachmentList);

/** Where prompts are written and sent. */
export function Composer({ open }: { readonly open: OpenSession }): JSX.Element {
  return <Form key={open.session.id} open={open} />;
}

function Form({ open }: { readonly open: OpenSession }): JSX.Element {
  const transcript = useTranscript(open.session, PARTS);
  const [problem, setProblem] = useState('');
  const attachments = useAttachments(open, setProblem);
  const input = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const writing = useWriting(open, { transcript, input });
  const prompting = usePrompting(open, { transcript, writing, attachments, onProblem: setProblem });
  useStopKey(prompting.isWorking, prompting.stop);
  useDrops((files) => void attachments.add(files));
  const { text, suggestions, selected } = writing;
  const hint = hintOf(text, transcript.commands);
  const isEmpty = text.trim() === '' && attachments.list.length === 0;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing || writing.onKey(event)) return;
    if (event.key !== 'Enter' || event.shiftKey || event.altKey || isTouch()) return;
    event.preventDefault();
    prompting.send(event.ctrlKey || event.metaKey ? 'queue' : 'steer');
  };
  return (
    <form
      class="composer"
      aria-label="Prompt"
      onSubmit={(event) => {
        event.preventDefault();
        prompting.send();
      }}
    >
      {prompting.queue.length > 0 && (
        <Queue queue={prompting.queue} onEdit={prompting.edit} onRemove={prompting.remove} />
      )}
      {suggestions.length > 0 && (
        <SuggestionList
          suggestions={suggestions}
          selected={selected}
          label={writing.completing?.kind === 'file' ? 'Files' : 'Commands'}
          onChoose={writing.choose}
        />
      )}
      {problem !== '' && (
        <p class="composer-problem" role="alert">
          {problem}
          <button type="button" class="text-button" aria-label="Dismiss" onClick={() => setProblem('')}>
            ✕
          </button>
        </p>
      )}
      <div class="composer-box">
        {attachments.list.length > 0 && <AttachmentList attachments={attachments.list} onRemove={attachments.remove} />}
        <textarea
          ref={input}
          class="composer-input"
          rows={2}
          aria-label="Message to the agent"
          aria-controls={suggestions.length > 0 ? LIST_ID : undefined}
          aria-autocomplete="list"
          aria-activedescendant={suggestions.length > 0 ? `${LIST_ID}-${selected}` : undefined}
          placeholder={
            prompting.isWorking
              ? 'Write the next prompt: it waits until the agent is free'
              : 'Message the agent: / for commands, @ for files'
          }
          value={text}
          onInput={writing.onInput}
          onSelect={writing.onSelect}
          onBlur={writing.close}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const files = event.clipboardData?.files;
            if (!files?.length) return;
            event.preventDefault();
            void attachments.add(files);
          }}
        />
        {hint !== undefined && <p class="composer-hint">{hint}</p>}
        <div class="composer-bar">
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            onChange={({ currentTarget }) => {
              void attachments.add(currentTarget.files ?? []);
              currentTarget.value = '';
            }}
          />
          <button
            type="button"
            class="composer-button"
            title="Attach files"
            aria-label="Attach files"
            onClick={() => picker.current?.click()}
          >
            <Icon name="attach" />
          </button>
          <Settings open={open} transcript={transcript} onProblem={setProblem} />
          <span class="composer-space" />
          <Usage usage={transcript.usage} />
          {prompting.isWorking && (
            <button type="button" class="composer-button composer-stop" onClick={prompting.stop} title="Stop (Esc)">
              <Icon name="stop" />
              {transcript.state === 'cancelling' ? 'Stop now' : 'Stop'}
            </button>
          )}
          {prompting.canSteer && (
            <button
              type="button"
              class="composer-button"
              disabled={isEmpty}
              title="Send when the agent is done (Ctrl+Enter)"
              onClick={() => prompting.send('queue')}
            >
              Queue
            </button>
          )}
          <button
            type="submit"
            class="composer-button composer-send"
            disabled={isEmpty}
            title={prompting.canSteer ? 'Send into the running turn (Enter)' : undefined}
          >
            <Icon name="send" />
            {prompting.isWorking && !prompting.canSteer ? 'Queue' : 'Send'}
          </button>
        </div>
      </div>
    </form>
  );
}

/** What the composer shows of a transcript: it is not drawn again for each piece of a message. */
const PARTS = ['state', 'commands', 'mode', 'options', 'usage', 'turns'] as const;

/** On a screen that is touched, Enter begins a new line. */
function isTouch(): boolean {
  return matchMedia('(pointer: coarse)').matches;
}

/** Escape stops the agent, wherever the focus is, unless somebody else takes it. */
function useStopKey(isWorking: boolean, stop: () => void): void {
  const last = useRef(stop);
  last.current = stop;
  useEffect(() => {
    if (!isWorking) return;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog[open]')) return;
      last.current();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isWorking]);
}
