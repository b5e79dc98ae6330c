import { api } from '@portal/contract/api';
import { NewNirDelegation } from '@portal/contract/nir/delegations';
import type { Change } from '../../platform/database/index.ts';
import type { DemoRegistry } from '../../platform/demo.ts';
import type { AdmittedAccount } from '../../platform/http/caller.ts';
import { addNirDelegation } from './delegations.ts';
import { addEntity } from './entities.ts';
import { addSubaccount } from './subaccounts.ts';

const economy = 'ZZ';
/** The members of the demo's national registry, and what each holds of its pool. */
const members = [
  {
    entity: { name: 'Northnet Telecom', localName: 'نورث نت', registrationNumber: 'PE-1044', address: '5 Cable Street\nPort Example' },
    names: ['NORTHNET-ZZ', 'NORTHNET-MOBILE-ZZ'],
    holds: [
      ['NORTHNET-ZZ', '198.19.16.0/22', 'allocated', 'NORTHNET-1'],
      ['NORTHNET-ZZ', '3fff:400::/32', 'allocated', 'NORTHNET-V6'],
      ['NORTHNET-ZZ', 'AS64503', 'assigned', ''],
      ['NORTHNET-MOBILE-ZZ', '198.19.20.0/23', 'assigned', 'NORTHNET-MOBILE'],
    ],
  },
  {
    entity: { name: 'University of Exampleland', localName: '', registrationNumber: 'EDU-7', address: 'Campus Road 1\nPort Example' },
    names: ['UNIEX-ZZ'],
    holds: [
      ['UNIEX-ZZ', '198.19.24.0/24', 'assigned', 'UNIEX-CAMPUS'],
      ['UNIEX-ZZ', '3fff:480::/40', 'assigned', 'UNIEX-V6'],
    ],
  },
  {
    entity: { name: 'Harbour Hosting', localName: '', registrationNumber: 'PE-2210', address: '12 Quay\nPort Example' },
    names: ['HARBOURHOST-ZZ'],
    holds: [['HARBOURHOST-ZZ', '198.19.28.0/24', 'assigned', 'HARBOURHOST-DC1']],
  },
  { entity: { name: 'Harbor Hosting', localName: '', registrationNumber: '', address: '' }, names: ['HARBOR-ZZ'], holds: [] },
] as const;

/** Adds organisations with their sub-accounts and delegations, one of them twice by mistake. */
export const addDemoLife = (registry: DemoRegistry): Promise<void> =>
  registry.changeAs({
    person: 'nils',
    accountName: 'NATREG-XX',
    action: 'nir.delegations.addNirDelegation',
    daysAgo: 71,
    summary: 'Delegated to sub-accounts',
    run: (change, { account }) => addSubaccounts(change, account, registry),
  });

async function addSubaccounts(change: Change, account: AdmittedAccount, { profile, config }: DemoRegistry): Promise<void> {
  // Delegated before one organisation had a limit.
  const unlimited = { ...profile, requestPolicy: { ...profile.requestPolicy, nirIpv4Limit: 0 } };
  for (const { entity, names, holds } of members) {
    const facts = api.nirEntities.addEntity.body!.parse({ ...entity, economy });
    const { entityId } = await addEntity({ change, account, body: facts, registry: { profile } });
    const ids = new Map<string, string>();
    for (const name of names) {
      const given = { name, entityId, contactName: '', email: '', remarks: '' };
      ids.set(name, (await addSubaccount({ change, account, body: given, registry: { modules: [] } })).subaccountId);
    }
    for (const [name, resource, type, netname] of holds)
      await addNirDelegation({
        change,
        account,
        body: NewNirDelegation.parse({ subaccountId: ids.get(name), resource, type, netname, economy: '' }),
        registry: { profile: unlimited, config },
      });
  }
}
