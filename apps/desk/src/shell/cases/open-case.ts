import type { CaseLine } from '@portal/contract/staff/cases';
import { createContext, useContext } from 'react';

/** How the person passed the case on: the next move is someone else’s, and the way to the next case has the focus. */
export type Passed = 'decided' | 'asked' | 'proposed';

/** The case on the page, as its parts need it. */
export type OpenCase = {
  named: Pick<CaseLine, 'kind' | 'caseId'>;
  /** Goes to the next case of the queue; null without one. */
  next: (() => void) | null;
  /** Notes that the person did what passes the case on. */
  onPassed: (how: Passed) => void;
  passed: Passed | null;
  /** Says why a letter that decides does nothing now, such as who has the next move; null where such letters mean something else. */
  onNoAct: (() => void) | null;
};

export const OpenCaseContext = createContext<OpenCase | null>(null);

/** Returns the case on the page. @throws Error outside of one, which is a defect */
export function useOpenCase(): OpenCase {
  const open = useContext(OpenCaseContext);
  if (!open) throw new Error('This part belongs on the page of a case.');
  return open;
}
