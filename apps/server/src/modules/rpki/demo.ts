import type { DemoRegistry } from '../../platform/demo.ts';
import { saveAspa } from './aspas.ts';
import { connectDemoAuthority } from './demo-self-hosted.ts';
import { enableRpki } from './hosted-rpki.ts';
import { changeRoas } from './roas.ts';

/** ROAs of the demo registry: most are right, one is wider than necessary, one forbids an unused block. */
const roas: Readonly<Record<string, { person: string; add: { prefix: string; asn: string; maxLength?: number; comment: string }[] }>> = {
  'EXAMPLE-AU': {
    person: 'corin',
    add: [
      { prefix: '198.18.0.0/19', asn: 'AS64500', comment: 'Sydney and Melbourne' },
      { prefix: '198.18.64.0/23', asn: 'AS65536', maxLength: 24, comment: 'Content delivery, one /24 a site' },
      { prefix: '2001:db8::/32', asn: 'AS64500', comment: 'Backbone' },
      { prefix: '203.0.113.0/24', asn: 'AS0', comment: 'Kept for 2027, not announced' },
    ],
  },
  'OTHER-SG': {
    person: 'olive',
    add: [
      { prefix: '198.51.100.0/24', asn: 'AS64501', comment: 'Singapore' },
      { prefix: '3fff:200::/32', asn: 'AS64501', comment: '' },
    ],
  },
};

/**
 * Adds hosted RPKI in two accounts, as their people would set it up, and a self-hosted authority in a third. Nothing is signed here: the publisher
 * makes keys and certificates once the program is running.
 */
export async function addDemoLife(registry: DemoRegistry): Promise<void> {
  const { changeAs, config } = registry;
  for (const [accountName, { person, add }] of Object.entries(roas)) {
    await changeAs({
      person,
      accountName,
      action: 'rpki.enable',
      daysAgo: 301,
      dated: true,
      summary: 'Enabled hosted RPKI',
      run: (change, { account }) => enableRpki(change, account, config),
    });
    await changeAs({
      person,
      accountName,
      action: 'rpki.changeRoas',
      daysAgo: 299,
      dated: true,
      summary: 'Changed ROAs',
      run: (change, { account }) => changeRoas(change, account, { version: 1, add, remove: [] }, 'by plan'),
    });
  }
  await changeAs({
    person: 'corin',
    accountName: 'EXAMPLE-AU',
    action: 'rpki.aspas.saveAspa',
    daysAgo: 214,
    dated: true,
    summary: 'Changed the providers of an AS',
    run: (change, { account }) =>
      saveAspa(change, account, { customer: 'AS64500', providers: ['AS64501', 'AS64502'], comment: 'Both upstreams', version: 0 }),
  });
  await connectDemoAuthority(registry);
}

export { regionStages } from './demo-region.ts';
