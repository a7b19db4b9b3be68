import type { Question } from '@parley/client';
import type { JSX } from 'preact';
import type { OpenSession } from '../sessions/open-session.ts';
import { FormCard } from './form-card.tsx';
import { PageCard } from './page-card.tsx';
import { PermissionCard } from './permission-card.tsx';

export interface QuestionCardProps {
  readonly question: Question;
  readonly open: OpenSession;
  readonly onAnswer: (question: Question, reply: unknown) => void;
}

/** What is asked, and the answers that there are. */
export function QuestionCard({ question, open, onAnswer }: QuestionCardProps): JSX.Element {
  switch (question.type) {
    case 'permission':
      return <PermissionCard question={question} open={open} onAnswer={onAnswer} />;
    case 'form':
      return <FormCard question={question} onAnswer={onAnswer} />;
    case 'page':
      return <PageCard question={question} onAnswer={onAnswer} />;
  }
}
