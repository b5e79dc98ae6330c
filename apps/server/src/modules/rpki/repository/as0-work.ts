import { createHash } from 'node:crypto';
import { listPrefixes, type Prefix, printPrefix } from '@portal/number-resources';
import { unallocatedSpace } from '../../resources/index.ts';
import { as0Authority } from '../authorities/authorities.ts';
import { keysOf } from '../authorities/keys.ts';
import { draftRoa, rootResources } from '../drafts.ts';
import { singleUpTo } from '../roa-groups.ts';
import { certify, type Desk, issuingOf, newKey, openWork, storedBy } from './authority-work.ts';
import { reconcileObjects } from './reconcile-objects.ts';

/**
 * Synchronises the ROAs of unallocated space with the pools. They are read in the snapshot of the publication: a delegated block leaves AS0 in the
 * same publication that certifies its holder.
 */
export async function as0Work(desk: Desk): Promise<void> {
  const { change } = desk;
  const authority = await as0Authority(change, desk.as0);
  if (!authority) return;
  const [present] = await keysOf(change, [authority.caId]);
  const row = present ?? (await newKey(desk, authority, 'current'));
  const work = openWork(desk, row, authority, null, (await storedBy(change, [row.keyId]))(row.keyId));
  certify(desk, work, rootResources);
  const space = authority.state === 'active' ? await unallocatedSpace(change) : null;
  const prefixes = space ? [...listPrefixes(space, 'ipv4'), ...listPrefixes(space, 'ipv6')] : [];
  reconcileObjects(desk, work, {
    kind: 'roa',
    idOf: ({ subject }) => subject,
    wanted: groupPrefixes(prefixes).map(group => {
      const subject = subjectOf(group);
      const said = group.map(prefix => ({ prefix: printPrefix(prefix), asn: 0, maxLength: prefix.length }));
      return {
        id: subject,
        draft: before => ({ ...draftRoa(work.key, said, { ...issuingOf(desk, work), before }, desk.drafting), subject }),
      };
    }),
  });
}

/** Groups prefixes into objects: one each while they are few, otherwise by the first 8 bits (16 for IPv6), so that a delegation changes one object. */
function groupPrefixes(prefixes: readonly Prefix[]): Prefix[][] {
  if (prefixes.length <= singleUpTo) return prefixes.map(prefix => [prefix]);
  return [...Map.groupBy(prefixes, ({ family, first }) => `${family} ${first >> (family === 'ipv4' ? 24n : 112n)}`).values()];
}

/** The subject of an object: another list of prefixes is another object. */
function subjectOf(group: readonly Prefix[]): string {
  const said = group.map(printPrefix);
  if (said.length === 1) return `Unallocated ${said[0]}`;
  return `Unallocated ${said[0]} and ${said.length - 1} more, ${createHash('sha256').update(said.join()).digest('hex').slice(0, 16)}`;
}
