import type { useAddress } from '@portal/app-kit';
import type { QueryOf } from '@portal/contract';
import { daysAfter, utcDay } from '@portal/contract/days';
import { type nirSubaccounts, subaccountKinds } from '@portal/contract/nir/subaccounts';

const kindWords = { ipv6: 'With IPv6', 'no-ipv6': 'No IPv6', asn: 'With AS numbers' };
export const kindFilters = [{ value: '', label: 'Any numbers' }, ...subaccountKinds.map(value => ({ value, label: kindWords[value] }))];

/** Days back that a change may lie, and what the filter calls them. */
const changeDays = { '7': 'Changed in 7 days', '30': 'Changed in 30 days', '90': 'Changed in 90 days', '365': 'Changed in a year' };
export const sinceFilters = [
  { value: '', label: 'Changed any time' },
  ...Object.entries(changeDays).map(([value, label]) => ({ value, label })),
];

/** Returns the filters of sub-accounts in the address, besides the size of their holding: the list and its counts agree. */
export function subaccountFilter(address: ReturnType<typeof useAddress>): QueryOf<typeof nirSubaccounts.countSubaccounts> {
  const holds = subaccountKinds.find(kind => kind === address.get('holds'));
  const days = Object.keys(changeDays).find(value => value === address.get('changed'));
  return {
    q: address.get('q') ?? '',
    status: address.oneOf('status', ['all', 'open', 'closed']),
    ...(holds && { holds }),
    ...(days && { changedSince: daysAfter(utcDay(Date.now()), -Number(days)) }),
  };
}
