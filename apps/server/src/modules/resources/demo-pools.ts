import { parseResource } from '@portal/number-resources';
import { columnsOf } from './ledger-columns.ts';
import { addPools } from './pools.ts';
import type { Change } from '../../platform/database/index.ts';

/** Free space of the demo registry: benchmarking space, documentation space and numbers of RFC 5398. */
const free = [
  '198.19.128.0/19',
  '198.19.160.0/21',
  '198.19.169.0/24',
  '198.19.171.0/24',
  '198.19.176.0/22',
  '3fff:800::/21',
  'AS64496 - AS64499',
  'AS65539 - AS65551',
];
/** Reserved for the registry's infrastructure. */
const reserved = ['198.19.168.0/24'];

/** Fills the pools of the demo registry. */
export async function addDemoPools(change: Change): Promise<void> {
  const pool = (state: 'available' | 'reserved') => (text: string) => ({
    ...columnsOf(parseResource(text)),
    state,
    registry: '',
    economyText: '',
    dateText: '',
    extensions: null,
  });
  await addPools(change, [...free.map(pool('available')), ...reserved.map(pool('reserved'))]);
}
