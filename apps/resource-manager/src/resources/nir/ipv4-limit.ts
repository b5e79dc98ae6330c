import { reading, useAccount, useKit } from '@portal/app-kit';
import { nirSubaccounts } from '@portal/contract/nir/subaccounts';
import { useQuery } from '@tanstack/react-query';

/** The policy’s limit for a member of a national registry, as a prefix length; null before it is read. */
export function useIpv4Limit(): number | null {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  return useQuery(reading(call, nirSubaccounts.countRecords, { account })).data?.ipv4Limit ?? null;
}
