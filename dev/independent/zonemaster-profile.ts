import { execFileSync } from 'node:child_process';

type Level = 'ERROR' | 'WARNING' | 'NOTICE';
type Profile = {
  resolver: { defaults: Record<string, unknown> };
  test_cases: string[];
  test_cases_vars: Record<string, Record<string, number>>;
  test_levels: Record<string, Record<string, string>>;
};

/** The severities of the registry's table where those that Zonemaster comes with are others. What it looks at stays as it is. */
const levels: Readonly<Record<string, Readonly<Record<string, Level>>>> = {
  ADDRESS: { NAMESERVER_IP_WITHOUT_REVERSE: 'NOTICE' },
  CONNECTIVITY: { CN01_NO_RESPONSE_UDP: 'ERROR', CN02_NO_RESPONSE_TCP: 'ERROR' },
  CONSISTENCY: {
    MULTIPLE_NS_SET: 'WARNING',
    MULTIPLE_SOA_MNAMES: 'WARNING',
    MULTIPLE_SOA_RNAMES: 'WARNING',
    MULTIPLE_SOA_TIME_PARAMETER_SET: 'WARNING',
  },
  DELEGATION: {
    IS_NOT_AUTHORITATIVE: 'ERROR',
    CHILD_NS_SAME_IP: 'WARNING',
    DEL_NS_SAME_IP: 'WARNING',
    SAME_IP_ADDRESS: 'WARNING',
    EXTRA_NAME_PARENT: 'WARNING',
    // Two servers are enough, over whichever protocol.
    NOT_ENOUGH_IPV6_NS_CHILD: 'NOTICE',
    NOT_ENOUGH_IPV6_NS_DEL: 'NOTICE',
  },
  DNSSEC: {
    DNSKEY_BUT_NOT_DS: 'NOTICE',
    DS01_DS_ALGO_DEPRECATED: 'WARNING',
    DS13_ALGO_NOT_SIGNED_DNSKEY: 'ERROR',
    DS13_ALGO_NOT_SIGNED_SOA: 'ERROR',
    DS16_CDS_MATCHES_NO_DNSKEY: 'NOTICE',
    MANY_ITERATIONS: 'WARNING',
  },
  NAMESERVER: { AAAA_UNEXPECTED_RCODE: 'WARNING', IS_A_RECURSOR: 'WARNING' },
  ZONE: {
    REFRESH_LOWER_THAN_RETRY: 'WARNING',
    REFRESH_MINIMUM_VALUE_LOWER: 'WARNING',
    RETRY_MINIMUM_VALUE_LOWER: 'WARNING',
    SOA_DEFAULT_TTL_MAXIMUM_VALUE_HIGHER: 'WARNING',
  },
};
/** Its look-ups of AS numbers, which need the internet, and its checks of mail and web servers, which reverse zones don't have. */
const leftOut = new Set(['connectivity03', 'connectivity04', 'syntax07', 'syntax08', 'zone07', 'zone08', 'zone09']);

/** Zonemaster's own profile with the registry's severities, and short waits, because all servers are on this machine. */
export function zonemasterProfile(): string {
  const profile = JSON.parse(execFileSync('zonemaster-cli', ['--dump-profile'], { encoding: 'utf8' })) as Profile;
  Object.assign(profile.resolver.defaults, { retry: 2, retrans: 1, timeout: 2 });
  profile.test_cases = profile.test_cases.filter(each => !leftOut.has(each));
  profile.test_cases_vars['dnssec04']!['REMAINING_SHORT'] = 3 * 86_400;
  for (const [module, changed] of Object.entries(levels)) Object.assign(profile.test_levels[module]!, changed);
  return JSON.stringify(profile);
}
