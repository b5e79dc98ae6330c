import * as z from 'zod/mini';
import { endpoint, group, staff } from '../endpoint.ts';
import { operationPermissions } from '../staff-permissions.ts';

/** Months whose answers count. */
export const answerMonths = 12;

/** How often readers said that an article helped them, and that it didn’t. */
export const HelpAnswers = z.object({ slug: z.string(), title: z.string(), yes: z.int(), no: z.int() });
export type HelpAnswers = z.infer<typeof HelpAnswers>;

/** Answers of readers of the help. */
export const helpAnswers = group('helpPages.answers', {
  listHelpAnswers: endpoint({
    method: 'GET',
    path: '/api/staff/help-answers',
    summary:
      'Which articles of the help answered the questions of their readers in the last twelve months: those that failed most often first.',
    access: staff(operationPermissions),
    answer: z.object({ rows: z.array(HelpAnswers) }),
  }),
});
