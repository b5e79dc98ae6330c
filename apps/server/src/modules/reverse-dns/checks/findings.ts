import { type DnsCheck, dnsChecks } from '@portal/contract/reverse-dns/check-catalogue';
import type { Finding } from '@portal/contract/reverse-dns/checks';
import type { DnsResult } from '../../../adapters/dns/client.ts';
import type { Soa } from '../../../adapters/dns/message.ts';

/** A server at one of its addresses, and what it answered. */
export type Target = {
  server: string;
  address: string;
  /** Without EDNS if the server doesn’t answer queries with it. */
  soaUdp: DnsResult;
  soaTcp: DnsResult;
  ns: DnsResult;
  keys: DnsResult;
  cds: DnsResult;
  cdnskey: DnsResult;
  missing: DnsResult;
  /** Answers for the PTR records of a few addresses; empty where the server isn’t authoritative. */
  samples: readonly { name: string; result: DnsResult }[];
  /** How it fails queries with EDNS, in words; null if it answers them. */
  ednsFault: string | null;
  /** Another address from which its answers come; null if they come from its own, or not at all. */
  elsewhere: string | null;
  soa: Soa | null;
  isAuthoritative: boolean;
};

/** Collects findings, at most one per check and server. */
export function findingsOf() {
  const list: Finding[] = [];
  const add = (check: DnsCheck, state: Finding['state'], detail: string, server: string | null = null): void => {
    const { severity, group } = dnsChecks[check];
    list.push({ check, state, severity, group, server, detail });
  };
  return {
    list,
    pass: (check: DnsCheck, detail = '', server: string | null = null) => add(check, 'passed', detail, server),
    fail: (check: DnsCheck, detail: string, server: string | null = null) => add(check, 'failed', detail, server),
    skip: (check: DnsCheck, detail: string) => add(check, 'skipped', detail),
    /** Fails for each entry of a list, or passes once. With nothing to look at (`among`), the check was not made, for the reason `lack`. */
    each: (
      check: DnsCheck,
      wrong: readonly { server: string | null; detail: string }[],
      among: readonly unknown[],
      right = '',
      lack = 'No server could be asked',
    ) => {
      for (const { server, detail } of wrong) add(check, 'failed', detail, server);
      if (wrong.length > 0) return;
      if (among.length > 0) add(check, 'passed', right);
      else add(check, 'skipped', lack);
    },
  };
}
export type Findings = ReturnType<typeof findingsOf>;
