import { type DnsClient, openDnsClient } from '../../../adapters/dns/client.ts';
import type { OutsideSystem } from '../../../platform/module.ts';

/** Other parties' name servers, queried over UDP and TCP. */
export const dnsClient: OutsideSystem<DnsClient> = {
  name: 'name servers',
  open: () => openDnsClient(),
  close: client => client.close(),
};
