import { refusedBy, useMaybeSession } from '@portal/app-kit';
import type { Subject } from '@portal/contract/admission';

/** Whether the roles of the person open a call or page: what they don't open is left out of a page. */
export function useMay(): (subject: Subject) => boolean {
  const session = useMaybeSession();
  return subject => !['staff', 'staff-permission'].includes(refusedBy(subject, session)?.rule ?? '');
}
