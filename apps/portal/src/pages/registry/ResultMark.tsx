import type { RegistryRequest } from '@portal/contract/registry-requests';
import { StateMark } from '@portal/ui';

/** How a request ended, or that it waits. */
export function ResultMark({ status }: Pick<RegistryRequest, 'status'>) {
  if (status === 'PENDING') return <StateMark state="pending">waits</StateMark>;
  if (status === 'APPROVED') return <StateMark state="valid">approved</StateMark>;
  if (status === 'REFUSED') return <StateMark state="invalid">refused</StateMark>;
  return <StateMark state="closed">withdrawn</StateMark>;
}
