import { reading, useKit } from '@portal/app-kit';
import { requestDesk } from '@portal/contract/requests/desk';
import type { CaseLine } from '@portal/contract/staff/cases';
import { useQuery } from '@tanstack/react-query';
import type { WaitsFor } from '../shell/cases/CaseHead.tsx';

/** Returns which party has the next move in a request for resources or a transfer, and until when, by the answer that its page shows; null where the registry has it, or until it is read. */
export function useWaitsFor({ kind, caseId, state }: CaseLine): WaitsFor | null {
  const { call } = useKit();
  const isWaiting = state === 'needs-info' && (kind === 'resources' || kind === 'transfers');
  const { data } = useQuery({ ...reading(call, requestDesk.getStaffRequest, { requestId: caseId }), enabled: isWaiting });
  if (!isWaiting || !data) return null;
  const { questions, recipientName, accountName, expiresAt } = data;
  if (questions.length > 0)
    return { name: questions.map(each => each.accountName).join(' and '), until: questions.map(({ answerBy }) => answerBy).toSorted()[0]! };
  return { name: data.state === 'offered' && recipientName !== null ? recipientName : accountName, until: expiresAt };
}
