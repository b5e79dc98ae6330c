import type { AddressFamily } from '@portal/number-resources';
import type { DnsResult } from '../../../adapters/dns/client.ts';
import { codeName, type DnsRecord, recordTypes } from '../../../adapters/dns/message.ts';
import { failureOf } from './answer-words.ts';
import type { CheckTools } from './check-question.ts';
import type { Target } from './findings.ts';

/** Maximum number of servers asked for the addresses of one name. */
const MAX_ASKED = 3;

/** The A and AAAA records in an answer, and the families that no server answered for, with the reason in words. */
export type ZoneAddresses = { records: DnsRecord[]; unanswered: Partial<Record<AddressFamily, string>> };

/**
 * Asks the servers of a zone for the addresses of a name inside it, because the parent may know none. Another server is asked if one doesn’t answer.
 * Silence, a refusal and a referral say nothing about the addresses.
 */
export async function addressesInZone(name: string, targets: readonly Target[], tools: CheckTools): Promise<ZoneAddresses> {
  const result: ZoneAddresses = { records: [], unanswered: {} };
  const asked = targets.filter(({ isAuthoritative }) => isAuthoritative).slice(0, MAX_ASKED);
  await Promise.all(
    (
      [
        ['ipv4', 'A'],
        ['ipv6', 'AAAA'],
      ] as const
    ).map(async ([family, type]) => {
      let failure = 'no server answers';
      for (const target of asked) {
        const answer = await askOne(name, type, target, tools);
        const lack = lackOf(answer);
        if (lack === null) {
          result.records.push(...answer.message!.answers.filter(record => record.type === recordTypes[type]));
          return;
        }
        failure = lack;
      }
      result.unanswered[family] = failure;
    }),
  );
  return result;
}

async function askOne(
  name: string,
  type: 'A' | 'AAAA',
  { address, ednsFault }: Target,
  { client, port, timeoutMs }: CheckTools,
): Promise<DnsResult> {
  const question = { name, type, ...(ednsFault !== null && { edns: false }) };
  const answer = await client.query(address, question, { transport: 'udp', port, timeoutMs });
  return answer.message?.truncated ? client.query(address, question, { transport: 'tcp', port, timeoutMs }) : answer;
}

/** Returns why an answer says nothing about the addresses of a name; null if it does. */
function lackOf(answer: DnsResult): string | null {
  if (!answer.message) return failureOf(answer);
  const { code, authoritative } = answer.message;
  if (code !== 0 && code !== 3) return codeName(code);
  return authoritative ? null : 'an answer without authority';
}
