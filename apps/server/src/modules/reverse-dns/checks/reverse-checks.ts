import { parseReverseZone, printReverseName } from '@portal/number-resources';
import { recordTypes } from '../../../adapters/dns/message.ts';
import type { Findings, Target } from './findings.ts';
import type { CheckQuestion, CheckTools } from './check-question.ts';

/** The addresses of the zone; null, with a finding, when it is not on a boundary at which the registry delegates. */
export function boundaryOf(zone: string, found: Findings): ReturnType<typeof parseReverseZone> | null {
  try {
    const prefix = parseReverseZone(zone);
    if (prefix.length === 0 || (prefix.family === 'ipv4' && prefix.length > 24))
      throw new Error(`${zone} isn’t on a boundary at which the registry delegates`);
    found.pass('boundary', zone);
    return prefix;
  } catch (error) {
    found.fail('boundary', (error as Error).message);
    return null;
  }
}

/** Checks what reverse zones are for: the addresses are held, and a sample of them has names. */
export async function checkReverseNames(
  { zone, isHeld }: CheckQuestion,
  prefix: ReturnType<typeof parseReverseZone> | null,
  targets: readonly Target[],
  { client, port, timeoutMs }: CheckTools,
  found: Findings,
): Promise<void> {
  if (isHeld) found.pass('held');
  else found.fail('held', `The addresses of ${zone} aren’t registered to an account here`);
  const target = targets.find(({ isAuthoritative }) => isAuthoritative);
  if (!target || !prefix) return found.skip('ptr', 'No server answers');
  // A few addresses at the beginning of the zone, as people number them.
  const samples = [1n, 2n, 10n, 53n, 254n]
    .map(step => ({ family: prefix.family, value: prefix.first + step }))
    .filter(({ value }) => value <= prefix.last);
  const answers = await Promise.all(
    samples.map(address =>
      client.query(target.address, { name: printReverseName(address), type: 'PTR' }, { transport: 'udp', port, timeoutMs }),
    ),
  );
  const named = answers.filter(
    ({ message }) =>
      message &&
      message.code === 0 &&
      (message.answers.some(({ type }) => type === recordTypes.PTR) || message.authority.some(({ type }) => type === recordTypes.NS)),
  );
  if (named.length > 0) found.pass('ptr', `${named.length} of ${answers.length} sampled addresses have a name or are handed on`);
  else found.fail('ptr', `None of ${answers.length} sampled addresses has a name`, target.server);
}
