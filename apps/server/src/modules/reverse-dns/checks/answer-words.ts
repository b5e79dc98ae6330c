import type { DnsResult } from '../../../adapters/dns/client.ts';
import { codeName, type DnsRecord, printRecord } from '../../../adapters/dns/message.ts';

/** Returns, in words, why a question had no answer; empty if it had one. */
export const failureOf = (result: DnsResult): string =>
  result.failure ? `${result.failure.kind === 'timeout' ? 'timed out' : result.failure.kind}: ${result.failure.detail}` : '';

/** An answer as `dig` prints it, 20 records of each section at most. */
export function textOf(result: DnsResult): string {
  if (!result.message) return failureOf(result);
  const { message } = result;
  const flags = [message.authoritative && 'aa', message.truncated && 'tc', message.recursionAvailable && 'ra'].filter(Boolean).join(' ');
  const section = (name: string, records: readonly DnsRecord[]): string[] =>
    records.length === 0 ? [] : [`;; ${name}`, ...records.slice(0, 20).map(printRecord)];
  return [
    `;; ${codeName(message.code)} ${flags}, ${message.bytes} bytes${message.edns ? `, EDNS ${message.edns.payload}` : ''}`,
    ...section('ANSWER', message.answers),
    ...section('AUTHORITY', message.authority),
    ...section('ADDITIONAL', message.additional),
  ].join('\n');
}
