import type { FormQuestion, PageQuestion, PermissionQuestion } from '@parley/session';

/** A question before it has an id. */
export type NewQuestion =
  | Omit<PermissionQuestion, 'questionId'>
  | Omit<FormQuestion, 'questionId'>
  | Omit<PageQuestion, 'questionId'>;
