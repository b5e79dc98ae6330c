import type { AnswerOf } from '@portal/contract';
import { maxRoutedEntries, type routedSpace } from '@portal/contract/routes/routed-space';
import { containsRange, parsePrefix, ResourceSyntaxError, type Vrp } from '@portal/number-resources';
import { refuseField } from '../../platform/failure.ts';
import { listVrps } from '../rpki/index.ts';
import { seenAnnouncements } from './seen-announcements.ts';
import type { Act } from '../../platform/http/endpoints.ts';

const onlyVrp = ({ prefix, asn, maxLength }: Vrp): Vrp => ({ prefix, asn, maxLength });

/** Returns the announcements of one block, limited to the account's own space in it. @throws Failure INVALID_REQUEST */
export async function getRoutedSpace({
  read,
  account: { accountName },
  query: { within },
}: Act<typeof routedSpace.getRoutedSpace>): Promise<AnswerOf<typeof routedSpace.getRoutedSpace>> {
  const block = blockOf(within);
  const isInside = ({ prefix }: { prefix: string }): boolean => containsRange(block, parsePrefix(prefix));
  const seen = await seenAnnouncements(read, accountName);
  const announcements = seen.announcements.filter(isInside);
  const silent = (await listVrps(read, accountName)).filter(
    roa =>
      isInside(roa) &&
      !announcements.some(
        ({ asn, validity, covering }) => validity === 'valid' && asn === roa.asn && covering.some(each => isSame(each, roa)),
      ),
  );
  return {
    collectedAt: seen.collectedAt,
    announcements: announcements
      .slice(0, maxRoutedEntries)
      .map(({ prefix, asn, peers, validity, covering }) => ({ prefix, asn, peers, validity, roas: covering.map(onlyVrp) })),
    silent: silent.slice(0, maxRoutedEntries).map(onlyVrp),
    more: announcements.length > maxRoutedEntries || silent.length > maxRoutedEntries,
  };
}

const isSame = (a: Vrp, b: Vrp): boolean => a.prefix === b.prefix && a.asn === b.asn && a.maxLength === b.maxLength;

function blockOf(text: string) {
  try {
    return parsePrefix(text);
  } catch (error) {
    if (!(error instanceof ResourceSyntaxError)) throw error;
    throw refuseField('within', error.message);
  }
}
