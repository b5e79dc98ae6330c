import { parseReverseZone, printReverseName } from '@portal/number-resources';
import { recordTypes } from '../../../adapters/dns/message.ts';
import type { Findings, Target } from './findings.ts';
import type { CheckQuestion, CheckTools } from './check-question.ts';

/** The addresses of the zone; null, with a finding, if it isn't on a boundary at which the registry delegates. */
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

/** Reverse names of a few addresses at the beginning of a zone, as people number them; none without a prefix. */
export const sampleNames = (prefix: ReturnType<typeof parseReverseZone> | null): string[] =>
  prefix === null
    ? []
    : [1n, 2n, 10n, 53n, 254n]
        .map(step => ({ family: prefix.family, value: prefix.first + step }))
        .filter(({ value }) => value <= prefix.last)
        .map(printReverseName);

/** Checks the purpose of a reverse zone: the addresses are held, a sample of them has names, and the names above those exist. */
export async function checkReverseNames(
  { zone, isHeld }: CheckQuestion,
  targets: readonly Target[],
  { client, port, timeoutMs }: CheckTools,
  found: Findings,
): Promise<void> {
  if (isHeld) found.pass('held');
  else found.fail('held', `The addresses of ${zone} aren’t registered to an account here`);
  const good = targets.filter(({ samples }) => samples.length > 0);
  const target = good.find(({ samples }) => samples.some(({ result }) => result.message)) ?? good[0];
  if (!target) {
    found.skip('ptr', 'No server answers');
    found.skip('namesAbove', 'No server answers');
    return;
  }
  const isNamed = ({ result: { message } }: Target['samples'][number]): boolean =>
    message !== undefined &&
    message.code === 0 &&
    (message.answers.some(({ type }) => type === recordTypes.PTR) ||
      message.authority.some(({ type, name }) => type === recordTypes.NS && name !== zone));
  const named = target.samples.filter(isNamed);
  if (named.length > 0) found.pass('ptr', `${named.length} of ${target.samples.length} sampled addresses have a name or are handed on`);
  else if (!target.samples.some(({ result }) => result.message)) found.skip('ptr', `${target.server} doesn’t answer for PTR`);
  else found.fail('ptr', `None of ${target.samples.length} sampled addresses has a name`, target.server);

  // A name with others below it exists even without records of its own (RFC 8020): resolvers that ask label by label stop at NXDOMAIN.
  const asked: { target: Target; above: string; below: string }[] = good.flatMap(each => {
    const below = each.samples.find(({ result: { message } }) => message?.answers.some(({ type }) => type === recordTypes.PTR))?.name;
    if (below === undefined) return [];
    const labels = below.slice(0, -zone.length - 1).split('.');
    const above = [labels.slice(1), labels.slice(-1)].filter(left => left.length > 0 && left.length < labels.length);
    return [...new Set(above.map(left => `${left.join('.')}.${zone}`))].map(name => ({ target: each, above: name, below }));
  });
  if (asked.length === 0) return found.skip('namesAbove', 'No name of the sample has names between it and the zone');
  const answers = await Promise.all(
    asked.map(({ target: { address, ednsFault }, above }) =>
      client.query(
        address,
        { name: above, type: 'PTR', ...(ednsFault !== null && { edns: false }) },
        { transport: 'udp', port, timeoutMs },
      ),
    ),
  );
  found.each(
    'namesAbove',
    asked.flatMap(({ target: { server, address }, above, below }, index) =>
      answers[index]!.message?.code === 3
        ? [{ server, detail: `${server} (${address}) answers NXDOMAIN for ${above}, though ${below} below it has a name` }]
        : [],
    ),
    answers.filter(({ message }) => message),
  );
}
