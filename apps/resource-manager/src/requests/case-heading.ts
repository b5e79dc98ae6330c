import type { ResourceRequest } from '@portal/contract/requests/requests';
import { caseState } from '../shell/case-words.ts';

/** The state of a case as the heading of its page, for the account that reads it. */
export function caseHeading(request: Pick<ResourceRequest, 'state' | 'nextMove' | 'role' | 'otherParty' | 'place'>): string {
  const { state, nextMove, role, otherParty, place } = request;
  if (state === 'offered')
    return role === 'recipient' ? 'Acknowledge or decline this transfer' : `Awaiting acknowledgement by ${otherParty ?? 'the recipient'}`;
  if (state === 'submitted' && place !== null) return `In the queue, number ${place}`;
  if (state === 'awaiting-fee') return nextMove === 'you' ? 'Pay the transfer fee' : 'Awaiting the transfer fee';
  return caseState(request).words;
}
