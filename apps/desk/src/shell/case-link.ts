import type { DeskRequest } from '@portal/contract/staff/desk';
import { casePath } from '@portal/contract/staff/case-words';

/** The page of a request in the queue. */
export const caseLink = ({ kind, requestId }: Pick<DeskRequest, 'kind' | 'requestId'>): string => casePath({ kind, caseId: requestId });
