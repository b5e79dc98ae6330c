import type { CaseLine } from '@portal/contract/staff/cases';
import { createContext, useContext } from 'react';

/** The case on the page, as its parts need it. */
export type OpenCase = {
  named: Pick<CaseLine, 'kind' | 'caseId'>;
  /** Goes to the next case of the queue; null without one. */
  next: (() => void) | null;
  /** Notes that the person decided it just now: the way to the next one gets the focus. */
  onDecided: () => void;
  isDecided: boolean;
};

export const OpenCaseContext = createContext<OpenCase | null>(null);

/** Returns the case on the page. @throws Error outside of one, which is a defect */
export function useOpenCase(): OpenCase {
  const open = useContext(OpenCaseContext);
  if (!open) throw new Error('This part belongs on the page of a case.');
  return open;
}
