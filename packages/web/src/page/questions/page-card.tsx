import type { PageQuestion } from '@parley/client';
import type { JSX } from 'preact';
import { CopyButton } from '../text/copy-button.tsx';
import { readLink } from '../text/markdown/safe-link.ts';
import { visibleLine, visibleText } from '../text/visible-text.ts';
import { Declining } from './declining.tsx';
import { SCROLLED } from './scrolled.ts';

interface PageCardProps {
  readonly question: PageQuestion;
  readonly onAnswer: (question: PageQuestion, reply: unknown) => void;
}

/** A page that the agent wants the person to visit: the whole address is shown, and nothing opens by itself. */
export function PageCard({ question, onAnswer }: PageCardProps): JSX.Element {
  const link = /^https?:/i.test(question.url) ? readLink(question.url) : undefined;
  return (
    <>
      <div class="question-body" {...SCROLLED}>
        <h2 class="question-title">{visibleText(question.message)}</h2>
        <p class="question-words">
          The agent wants you to visit a page
          {link && (
            <>
              {' '}
              of <strong>{link.host}</strong>
            </>
          )}
          :
        </p>
        <p class="question-address">
          <code>{visibleLine(question.url)}</code> <CopyButton text={question.url} what="address" />
        </p>
        {!link && <p class="question-wrong">This is no address of the web, so it cannot be opened from here.</p>}
      </div>
      <div class="question-answers">
        {link && (
          <a
            class="question-answer question-allow"
            href={link.href}
            target="_blank"
            rel="noopener noreferrer"
            onClick={() => onAnswer(question, { action: 'accept' })}
          >
            Open {link.host} in a new tab
          </a>
        )}
        <Declining onAnswer={(answer) => onAnswer(question, answer)} />
      </div>
    </>
  );
}
