import { findSpecialAs, findSpecialBlock, formatCount } from '@portal/number-resources';
import { parseAutoHandle, printObject, type RpslAttribute, type RpslObject, valueOf, valuesOf } from '@portal/rpsl';
import type { Profile } from '../../../profile.ts';
import { frozenChanges, heldBy, sameLines } from '../store/protected-attributes.ts';
import { addressesOf, asNumberOf, listOf, maintainersIn, objectOfRow } from '../store/object-facts.ts';
import { domainRules } from './domain-rules.ts';
import { handleClasses } from '../store/handle-space.ts';
import { reservedFor } from './reserved-names.ts';
import type { Context, Rule } from './rule.ts';
import { setClasses } from '../store/set-names.ts';
import { type Item, problem, type WhoisProblem } from '../store/update.ts';
import type { Seen } from '../store/submission-view.ts';

const networks = ['inetnum', 'inet6num'];
const routes = ['route', 'route6'];
const contacts = ['person', 'role'];

const attributesOf = (object: RpslObject, name: string): RpslAttribute[] => object.attributes.filter(each => each.name === name);
const before = (item: Item): RpslObject => objectOfRow(item.stored!);
const isRegistryMaintainer = (profile: Profile, maintainer: string): boolean => maintainer === profile.hostmasterMaintainer.toLowerCase();
/** The smallest network of IPv6 (RFC 4291 section 2.5.1), where an object is of a smaller one; null where not. */
const smallerThanNetwork = (object: RpslObject): number | null => {
  const range = addressesOf(object);
  return range?.family === 'ipv6' && range.last - range.first + 1n < 1n << 64n ? 64 : null;
};
const statusOf = (object: RpslObject): string => (valueOf(object, 'status') ?? '').toUpperCase();
const names = (list: readonly Seen[]): string =>
  list
    .slice(0, 3)
    .map(({ shown }) => shown)
    .join(', ');
const sameText = (a: string, b: string): boolean =>
  a.replace(/\s+/g, ' ').trim().toLowerCase() === b.replace(/\s+/g, ' ').trim().toLowerCase();
const listed = (list: readonly { class: string; key: string; shown: string }[]) =>
  list.slice(0, 20).map(({ class: objectClass, key, shown }) => ({ class: objectClass, key, shown }));

/** Rules of the database beyond the syntax of objects. */
const rules: readonly Rule[] = [
  {
    on: ['create', 'modify'],
    classes: 'all',
    check: ({ object }, { profile }) => {
      const source = valueOf(object, 'source');
      return [
        source === undefined || source.toLowerCase() === profile.source.toLowerCase()
          ? null
          : problem(object, 'wrong-source', `The source of this database is ${profile.source}, not ${source}`, { attribute: 'source' }),
      ];
    },
  },
  {
    on: ['delete'],
    classes: 'all',
    check: (item, { view }) => {
      const { total, first } = view.referrersOf(item);
      if (total === 0) return [];
      const words = total === 1 ? '1 object refers' : `${total} objects refer`;
      return [
        problem(
          item.object,
          'referenced',
          `${words} to ${item.shown}: ${first
            .slice(0, 5)
            .map(({ shown }) => shown)
            .join(', ')}${total > 5 ? ' and others' : ''}. Change ${total === 1 ? 'it' : 'these'} first`,
          {
            objects: listed(first),
            count: total,
          },
        ),
      ];
    },
  },
  {
    on: ['delete'],
    classes: 'all',
    membersOnly: true,
    check: item =>
      item.stored!.registryMaintained && !item.stored!.kept
        ? [problem(item.object, 'registry-maintained', `Only the registry can delete ${item.shown}`)]
        : [],
  },
  // Attributes that the registry keeps, or maintains together with a member.
  {
    on: ['delete'],
    classes: 'all',
    membersOnly: true,
    check: item =>
      item.stored!.kept
        ? [
            problem(
              item.object,
              'kept-by-registry',
              `${item.shown} is removed when its delegation ends. Ask the registry to return the resource`,
            ),
          ]
        : [],
  },
  {
    on: ['modify'],
    classes: 'all',
    membersOnly: true,
    check: (item, { credentials, profile }) => {
      const held = item.stored!.kept && heldBy(item.stored!, credentials);
      if (held) {
        const frozen = frozenChanges(before(item), item.object);
        const [line] = attributesOf(before(item), 'descr');
        if (line && !sameLines([line], attributesOf(item.object, 'descr').slice(0, 1))) frozen.push('descr');
        return frozen.map(attribute =>
          problem(
            item.object,
            'frozen-attribute',
            attribute === 'descr'
              ? 'The registry sets the first line of descr. Add lines below it'
              : `The registry sets ${attribute} of ${item.shown}. Ask the registry to change it`,
            { attribute },
          ),
        );
      }
      if (!item.stored!.registryMaintained || item.stored!.kept) return [];
      const withRegistry = (object: RpslObject): RpslAttribute[] =>
        object.attributes.filter(
          ({ name, value }) => name.startsWith('mnt-') && value.toLowerCase().includes(profile.hostmasterMaintainer.toLowerCase()),
        );
      return [
        sameLines(withRegistry(before(item)), withRegistry(item.object))
          ? null
          : problem(item.object, 'frozen-attribute', 'Only the registry can add or remove its maintainers', {
              attribute: 'mnt-by',
            }),
        sameLines(attributesOf(before(item), 'org'), attributesOf(item.object, 'org'))
          ? null
          : problem(item.object, 'frozen-attribute', `The registry sets org of ${item.shown}. Ask the registry to change it`, {
              attribute: 'org',
            }),
      ];
    },
  },
  {
    on: ['create', 'modify'],
    classes: 'all',
    membersOnly: true,
    check: (item, { profile }) => {
      const old = new Set(
        item.stored
          ? before(item)
              .attributes.filter(({ name }) => name.startsWith('mnt-'))
              .map(({ name, value }) => `${name} ${value.toLowerCase()}`)
          : [],
      );
      return item.object.attributes
        .filter(
          ({ name, value }) =>
            name.startsWith('mnt-') &&
            name !== 'mnt-nfy' &&
            !old.has(`${name} ${value.toLowerCase()}`) &&
            maintainersIn({ class: item.class, attributes: [attributeNamed(name, value)] }, name).some(each =>
              isRegistryMaintainer(profile, each),
            ),
        )
        .slice(0, item.stored?.registryMaintained ? 0 : 1)
        .map(({ name, value }) =>
          problem(item.object, 'registry-maintainer', `${profile.hostmasterMaintainer} is the registry’s maintainer. Use one of your own`, {
            attribute: name,
            value,
          }),
        );
    },
  },
  // Networks.
  {
    on: ['modify'],
    classes: networks,
    check: item =>
      statusOf(before(item)) === statusOf(item.object)
        ? []
        : [
            problem(
              item.object,
              'status-changed',
              `The status of ${item.shown} can’t be changed from ${statusOf(before(item))}. Delete the object and create it with the other status`,
              { attribute: 'status' },
            ),
          ],
  },
  {
    on: ['create'],
    classes: networks,
    check: (item, { view }) => {
      const across = view.networksAcross(item);
      return across.length === 0
        ? []
        : [
            problem(item.object, 'overlaps', `${item.shown} partly overlaps ${names(across)}. Networks must be nested or separate`, {
              objects: listed(across),
              count: across.length,
            }),
          ];
    },
  },
  {
    on: ['create'],
    classes: networks,
    membersOnly: true,
    check: (item, { view, profile }) => {
      const status = statusOf(item.object);
      const mntBy = maintainersIn(item.object, 'mnt-by');
      if (status.endsWith(' PORTABLE'))
        return mntBy.some(each => isRegistryMaintainer(profile, each) || view.isNirMaintainer(each))
          ? []
          : [
              problem(
                item.object,
                'status-not-yours',
                `${status} is for registry delegations. Below your own allocation, use ASSIGNED NON-PORTABLE or ALLOCATED NON-PORTABLE`,
                { attribute: 'status' },
              ),
            ];
      if (!status.endsWith(' NON-PORTABLE'))
        return [
          problem(
            item.object,
            'status-not-for-new',
            `${status} is only found in old objects. Use ASSIGNED NON-PORTABLE or ALLOCATED NON-PORTABLE`,
            { attribute: 'status' },
          ),
        ];
      const around = view.networksAround(item);
      const small = smallerThanNetwork(item.object);
      if (small !== null)
        return [
          problem(item.object, 'network-too-small', `${item.shown} is smaller than a /${small}, the smallest IPv6 network`, {
            attribute: item.class,
          }),
        ];
      // A customer assigns parts of its sub-allocation to its own networks, but doesn't allocate them further.
      const customers = status.startsWith('ALLOCATED ')
        ? around.find(({ object }) => statusOf(object) === 'ALLOCATED NON-PORTABLE')
        : undefined;
      if (customers)
        return [
          problem(
            item.object,
            'parent-sub-allocated',
            `${item.shown} is in ${customers.shown}, the sub-allocation of a customer. Use ASSIGNED NON-PORTABLE`,
            { attribute: 'status' },
          ),
        ];
      const closed = around.find(({ object }) => !statusOf(object).startsWith('ALLOCATED'));
      return closed
        ? [
            problem(
              item.object,
              'parent-assigned',
              `${item.shown} is in ${closed.shown}, which is ${statusOf(closed.object)}. It can’t be assigned further`,
              { attribute: 'status' },
            ),
          ]
        : [];
    },
  },
  // Routes.
  {
    on: ['create'],
    classes: routes,
    membersOnly: true,
    check: (item, { view }) => {
      const range = addressesOf(item.object);
      const block = range && findSpecialBlock(range);
      const origin = asNumberOf(valueOf(item.object, 'origin') ?? '');
      const special = origin === null ? undefined : findSpecialAs(origin);
      return [
        block && !view.isDelegated(item, 'addresses')
          ? problem(
              item.object,
              'bogon-prefix',
              `${valueOf(item.object, item.class)} is reserved (${block.name}, ${block.source}) and can’t be announced`,
              { attribute: item.class },
            )
          : null,
        special && special.use !== 'anycast' && !view.isDelegated(item, 'origin')
          ? problem(
              item.object,
              'bogon-origin',
              `AS${origin} is reserved (${special.name}, ${special.source}) and can’t originate routes`,
              { attribute: 'origin' },
            )
          : null,
      ];
    },
  },
  {
    on: ['create', 'modify'],
    classes: routes,
    check: (item, { view }) => {
      const origin = asNumberOf(valueOf(item.object, 'origin') ?? '');
      const prefix = valueOf(item.object, item.class) ?? '';
      if (origin === null) return [];
      const { validity, vrps, count } = view.judgedByRoas(item, origin);
      if (validity === 'valid' || validity === 'not-found') return [];
      const named = vrps.map(roa => `${roa.prefix} AS${roa.asn}, to /${roa.maxLength}`).join('; ');
      return [
        problem(
          item.object,
          'rpki-invalid',
          `${
            validity === 'invalid-length'
              ? `The ROA of AS${origin} allows no prefix as long as ${prefix}`
              : `No ROA names AS${origin} for ${prefix}, and ${count === 1 ? 'one names another' : `${formatCount(count)} name others`}`
          } (${named}). Routers that validate drop this announcement. Change the ROA first, or don’t announce it`,
          { severity: 'warning', attribute: validity === 'invalid-length' ? item.class : 'origin' },
        ),
      ];
    },
  },
  // Reverse domains.
  {
    on: ['create'],
    classes: ['domain'],
    check: (item, { view }) => {
      const beside = view.adjacentDomains(item);
      return beside.length === 0
        ? []
        : [
            problem(item.object, 'domain-overlaps', `${item.shown} overlaps ${names(beside)}. Reverse domains can’t overlap`, {
              objects: listed(beside),
              count: beside.length,
            }),
          ];
    },
  },
  ...domainRules,
  // Sets.
  {
    on: ['modify'],
    classes: setClasses,
    check: item => {
      const gone = listOf(before(item), 'mbrs-by-ref').filter(
        each => !listOf(item.object, 'mbrs-by-ref').some(kept => kept.toLowerCase() === each.toLowerCase()),
      );
      return gone.length === 0
        ? []
        : [
            problem(item.object, 'members-dropped', `Members by reference of ${gone.join(', ')} are no longer members`, {
              severity: 'warning',
            }),
          ];
    },
  },
  // Names.
  {
    on: ['create'],
    classes: handleClasses,
    check: (item, { view }) => {
      const holder = view.handleHolder(item);
      if (!holder) return [];
      const instead = contacts.includes(item.class) ? 'Enter AUTO-1 for a new handle' : 'Choose another name';
      return [
        problem(item.object, 'handle-in-use', `${item.shown} is the name of the ${holder.class} ${holder.shown}. ${instead}`, {
          attribute: contacts.includes(item.class) ? 'nic-hdl' : item.class,
          objects: listed([holder]),
          count: 1,
        }),
      ];
    },
  },
  {
    on: ['create'],
    classes: handleClasses,
    membersOnly: true,
    check: (item, { profile }) => {
      const why = reservedFor(item.class, item.shown, profile);
      return why === null
        ? []
        : [
            problem(item.object, 'reserved-look', `${why}. Choose another name`, {
              attribute: contacts.includes(item.class) ? 'nic-hdl' : item.class,
            }),
          ];
    },
  },
  // Contacts.
  {
    on: ['modify'],
    classes: contacts,
    check: item =>
      sameText(valueOf(before(item), item.class) ?? '', valueOf(item.object, item.class) ?? '')
        ? []
        : [
            problem(
              item.object,
              'name-changed',
              'A contact’s name can’t be changed. Create another contact, use it in your objects, then delete this one',
              { attribute: item.class },
            ),
          ],
  },
  {
    on: ['create'],
    classes: [...contacts, 'organisation'],
    check: (item, { view }) =>
      !item.update.restores && view.wasDeleted(item) && !view.handleHolder(item)
        ? [
            problem(item.object, 'handle-used', `${item.shown} was used before. Handles are never reused. Enter AUTO-1 for a new one`, {
              attribute: item.class === 'organisation' ? 'organisation' : 'nic-hdl',
            }),
          ]
        : [],
  },
  {
    on: ['create'],
    classes: contacts,
    membersOnly: true,
    check: (item, { profile }) =>
      // One that still has AUTO-n was already refused for that.
      item.key.endsWith(profile.nicHandleSuffix.toLowerCase()) || parseAutoHandle(item.key)
        ? []
        : [
            problem(
              item.object,
              'wrong-suffix',
              `Handles of this registry end in ${profile.nicHandleSuffix}. Enter AUTO-1 to get the next free one`,
              { attribute: 'nic-hdl' },
            ),
          ],
  },
  {
    on: ['create', 'modify'],
    classes: [...networks, 'aut-num'],
    check: (item, { view }) =>
      valuesOf(item.object, 'abuse-c').map(handle => {
        const role = view.find(item, 'role', handle.toLowerCase());
        return role && valuesOf(role.object, 'abuse-mailbox').length === 0
          ? problem(item.object, 'abuse-mailbox-missing', `${role.shown} has no abuse-mailbox. Add one, or use a role that has one`, {
              attribute: 'abuse-c',
              value: handle,
            })
          : null;
      }),
  },
  {
    on: ['modify'],
    classes: ['role'],
    check: (item, { view }) => {
      if (valuesOf(item.object, 'abuse-mailbox').length > 0 || valuesOf(before(item), 'abuse-mailbox').length === 0) return [];
      const using = view
        .referrersOf(item)
        .first.filter(row => valuesOf(objectOfRow(row), 'abuse-c').some(each => each.toLowerCase() === item.key));
      return using.length === 0
        ? []
        : [
            problem(
              item.object,
              'abuse-mailbox-used',
              `${using
                .slice(0, 3)
                .map(({ shown }) => shown)
                .join(', ')} use ${item.shown} for abuse reports, so its abuse-mailbox is required`,
              { objects: listed(using), count: using.length },
            ),
          ];
    },
  },
  {
    on: ['modify'],
    classes: ['role'],
    check: item =>
      valuesOf(item.object, 'abuse-mailbox').length === 0 || valuesOf(before(item), 'abuse-mailbox').length > 0
        ? []
        : [
            problem(
              item.object,
              'lookups-unlimited',
              `Anyone can look ${item.shown} up any number of times from now on: roles with an abuse-mailbox don’t count as personal data`,
              { severity: 'info', attribute: 'abuse-mailbox' },
            ),
          ],
  },
  // Maintainers.
  {
    on: ['create', 'modify'],
    classes: ['mntner'],
    check: (item, { profile }) => {
      const wanted = item.stored ? (valueOf(before(item), 'referral-by') ?? profile.hostmasterMaintainer) : profile.hostmasterMaintainer;
      const given = valueOf(item.object, 'referral-by') ?? '';
      return sameText(wanted, given)
        ? []
        : [problem(item.object, 'referral-fixed', `referral-by is ${wanted} and can’t be changed`, { attribute: 'referral-by' })];
    },
  },
  {
    on: ['create'],
    classes: ['mntner'],
    membersOnly: true,
    check: (item, { view }) => {
      // Old objects name deleted maintainers; recreating one of that name would take them over.
      const orphans = view.referrersOf(item).first.filter(({ objectId }) => objectId !== 0);
      return orphans.length === 0
        ? []
        : [
            problem(
              item.object,
              'maintainer-named-before',
              `A maintainer ${orphans[0]!.shown} already exists: ${orphans[0]!.shown}. Choose another name, or ask the registry`,
              { objects: listed(orphans), count: orphans.length },
            ),
          ];
    },
  },
  {
    on: ['modify'],
    classes: 'all',
    membersOnly: true,
    check: (item, { credentials }) => {
      const mntBy = maintainersIn(item.object, 'mnt-by');
      if (item.stored!.kept || mntBy.some(each => credentials.maintainers.has(each))) return [];
      return [
        problem(item.object, 'locked-out', `You won’t be able to change ${item.shown}: none of its maintainers is yours`, {
          severity: 'warning',
          attribute: 'mnt-by',
        }),
      ];
    },
  },
];

const attributeNamed = (name: string, value: string) => ({ name, written: name, value, raw: ` ${value}\n`, comment: null, line: 0 });

/** Fourth step: checks every rule that applies to the update, independently. */
export function checkRules(item: Item, context: Context): WhoisProblem[] {
  const found: WhoisProblem[] = [];
  for (const { on, classes, membersOnly, check } of rules) {
    if (
      !on.includes(item.operation) ||
      (classes !== 'all' && !classes.includes(item.class)) ||
      (membersOnly && context.credentials.registry)
    )
      continue;
    for (const each of check(item, context)) if (each) found.push(each);
  }
  return found;
}

/** Returns whether two objects are equal apart from blanks, letter case and attributes the server writes. */
export function sameObject(a: RpslObject, b: RpslObject): boolean {
  const said = ({ attributes }: RpslObject): RpslAttribute[] => attributes.filter(({ name }) => name !== 'last-modified');
  const plain = (value: string): string => value.replace(/\s+/g, ' ');
  const [before, after] = [said(a), said(b)];
  return (
    (before.length === after.length &&
      before.every((one, place) => {
        const other = after[place]!;
        const isSame = one.name === other.name && (one.comment ?? '') === (other.comment ?? '');
        return isSame && (one.value === other.value || plain(one.value) === plain(other.value));
      })) ||
    printObject(a) === printObject(b)
  );
}
