import type { AnswerOf } from '@portal/contract';
import { maxDecidingRoas, maxRoutedEntries, type routedSpace } from '@portal/contract/routes/routed-space';
import { containsRange, decidingVrps, parsePrefix, ResourceSyntaxError, type Vrp } from '@portal/number-resources';
import { breathing, filteredInTurns } from '../../platform/breathing.ts';
import { refuseField } from '../../platform/failure.ts';
import { listVrps } from '../rpki/index.ts';
import { seenAnnouncements } from './seen-announcements.ts';
import { seenUnder } from './seen-under.ts';
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
  const announcements = await filteredInTurns(seen.announcements, isInside);
  const published = await filteredInTurns(await listVrps(read, accountName), isInside);
  const { longestOf } = await seenUnder(published, announcements);
  const silent = published.filter(roa => !longestOf.has(roa));
  const listed: AnswerOf<typeof routedSpace.getRoutedSpace>['announcements'] = [];
  const breathe = breathing();
  for (const { prefix, asn, peers, validity } of announcements.slice(0, maxRoutedEntries)) {
    const { vrps, count } = decidingVrps(seen.index, parsePrefix(prefix), asn, maxDecidingRoas);
    listed.push({ prefix, asn, peers, validity, roas: vrps.map(onlyVrp), roaCount: count });
    await breathe();
  }
  return {
    collectedAt: seen.collectedAt,
    announcements: listed,
    silent: silent.slice(0, maxRoutedEntries).map(onlyVrp),
    more: announcements.length > maxRoutedEntries || silent.length > maxRoutedEntries,
  };
}

function blockOf(text: string) {
  try {
    return parsePrefix(text);
  } catch (error) {
    if (!(error instanceof ResourceSyntaxError)) throw error;
    throw refuseField('within', error.message);
  }
}
