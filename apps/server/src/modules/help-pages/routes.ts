import { helpAnswers } from '@portal/contract/help-pages/answers';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { listHelpAnswers } from './help-answers.ts';

export const helpPagesRoutes: readonly Implementation[] = [implement(helpAnswers, { listHelpAnswers })];
