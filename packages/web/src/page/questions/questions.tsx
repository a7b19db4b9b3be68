import type { Question } from '@parley/client';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { late } from '../parts/late.tsx';
import type { OpenSession } from '../sessions/open-session.ts';
import { visibleLine } from '../text/visible-text.ts';
import { useTranscript } from '../thread/use-transcript.ts';
import type { QuestionCardProps } from './question-card.tsx';

/** Loaded with the first question. */
const QuestionCard = late<QuestionCardProps>(async () => (await import('./question-card.tsx')).QuestionCard);

/** How long it is told that somebody else has answered. */
const TOLD_MS = 15_000;

const PARTS = ['questions', 'state'] as const;

/** What the agent asks the person, above the composer: the oldest first, one at a time. */
export function Questions({ open }: { readonly open: OpenSession }): JSX.Element {
  const { questions } = useTranscript(open.session, PARTS);
  const { answer, elsewhere } = useAnswers(open, questions);
  const [question] = questions;
  return (
    <div class="questions">
      {elsewhere !== '' && (
        <p class="questions-elsewhere" role="status">
          {elsewhere}
        </p>
      )}
      <p class="visually-hidden" role="alert">
        {question && `Waiting for you: ${titleOf(question)}`}
      </p>
      {question && (
        <section key={question.questionId} class="question" aria-label={`Waiting for you: ${titleOf(question)}`}>
          <header class="question-head">
            <span class="question-badge">Waiting for you</span>
            {questions.length > 1 && <span class="question-count">1 of {questions.length}</span>}
            {question.expiresAtMs !== undefined && (
              <span class="question-count">until {new Date(question.expiresAtMs).toLocaleTimeString()}</span>
            )}
          </header>
          <QuestionCard question={question} open={open} onAnswer={answer} />
        </section>
      )}
    </div>
  );
}

/** Answers questions, and notices those that somebody else has answered. */
function useAnswers(open: OpenSession, questions: readonly Question[]) {
  const answered = useRef(new Set<string>());
  const seen = useRef<readonly Question[]>([]);
  const [elsewhere, setElsewhere] = useState('');
  useEffect(() => {
    const gone = seen.current.filter((before) => !questions.some(({ questionId }) => questionId === before.questionId));
    seen.current = questions;
    const others = gone.filter(({ questionId }) => !answered.current.delete(questionId));
    const [last] = others.slice(-1);
    if (!last) return;
    const isCancelled =
      open.session.state === 'cancelling' || open.session.transcript.turns.at(-1)?.stopReason === 'cancelled';
    setElsewhere(isCancelled ? '' : `Answered by another client, or withdrawn by the agent: ${titleOf(last)}`);
  }, [questions, open]);
  useEffect(() => {
    if (elsewhere === '') return;
    const timer = setTimeout(() => setElsewhere(''), TOLD_MS);
    return () => clearTimeout(timer);
  }, [elsewhere]);
  const answer = (question: Question, reply: unknown): void => {
    answered.current.add(question.questionId);
    if (!open.connection.answer(question.questionId, reply)) {
      answered.current.delete(question.questionId);
      setElsewhere(`This was no longer open: ${titleOf(question)}`);
    }
    document.querySelector<HTMLElement>('.composer-input')?.focus();
  };
  return { answer, elsewhere };
}

export function titleOf(question: Question): string {
  if (question.type !== 'permission') return visibleLine(question.message.slice(0, 200));
  const { title, toolCall } = question;
  return visibleLine(title ?? toolCall.title ?? toolCall.name ?? toolCall.kind ?? 'a tool call');
}
