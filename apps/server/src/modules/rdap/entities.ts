import { isPersonal, publicObject, type RpslObject, valueOf } from '@portal/rpsl';
import { type AnswerContext, type Entity, linkTo, type Redaction } from './answer.ts';
import { isEntityClass, jCardOf, mailboxesOf } from './j-card.ts';
import { eventsOf, langOf, remarksOf, type Stamp } from './common-members.ts';

/** An object another one refers to, and by which attribute; without its text where that is too long. */
export type Referred = readonly [attribute: string, className: string, shown: string, text: string | null];

const roleOf: Readonly<Record<string, string>> = {
  'admin-c': 'administrative',
  'tech-c': 'technical',
  // No registered role fits (RFC 9083, 10.2.4).
  'zone-c': 'technical',
  'mnt-irt': 'abuse',
  'abuse-c': 'abuse',
  org: 'registrant',
  'mnt-by': 'registrant',
};

const entityPath = (handle: string): string => `entity/${encodeURIComponent(handle)}`;

/**
 * The entities nested in an object, each once with all its roles. Registrant is the organisation; without one, the maintainers that are not the
 * registry's own. E-mail addresses of contacts are omitted if the registry profile says so; abuse addresses never. People and roles without an abuse
 * mailbox are counted, and over the limit of a day have a handle alone.
 */
export function nestedEntities(
  context: AnswerContext,
  owner: RpslObject,
  referred: readonly Referred[],
): { entities: Entity[]; redacted: Redaction[] } {
  const { profile } = context;
  const hasOrganisation = referred.some(([attribute]) => attribute === 'org');
  const maintainers = referred.filter(([attribute]) => attribute === 'mnt-by');
  const own = profile.hostmasterMaintainer.toLowerCase();
  const members = maintainers.filter(([, , shown]) => shown.toLowerCase() !== own);
  const registrants = hasOrganisation ? [] : members.length > 0 ? members : maintainers;
  // The owner of an entity is not its registrant.
  const shownOf = ([attribute]: Referred): boolean => attribute !== 'mnt-by' && (attribute !== 'org' || !isEntityClass(owner.class));
  const nested = [...referred.filter(shownOf), ...(isEntityClass(owner.class) ? [] : registrants)];

  const entities = new Map<string, Entity>();
  const redacted: Redaction[] = [];
  const order = new Map(owner.attributes.map(({ name, value }, place) => [`${name} ${value.toLowerCase()}`, place]));
  const placeOf = ([attribute, , shown]: Referred): number => order.get(`${attribute} ${shown.toLowerCase()}`) ?? order.size;
  const withheld = new Set<string>();
  for (const [attribute, className, handle, text] of nested.toSorted((a, b) => placeOf(a) - placeOf(b))) {
    const role = roleOf[attribute];
    if (role === undefined) continue;
    const known = entities.get(handle);
    const isCounted = text !== null && isPersonal({ class: className, text });
    if (isCounted && context.people.isOverLimit) withheld.add(handle);
    if (withheld.has(handle) || (text === null && role !== 'abuse')) {
      if (known) addRole(known, role);
      else entities.set(handle, withoutCard(context, { handle, role, why: text === null ? 'long' : 'limit' }));
      continue;
    }
    const object = text === null ? null : publicObject(text);
    if (!object) continue;
    const isAbuse = role === 'abuse';
    // An abuse entity without an address is omitted (NRO profile 5.3).
    if (isAbuse && mailboxesOf(object, 'abuse').length === 0) continue;
    if (isCounted) context.people.shown.add(handle);
    if (known) {
      addRole(known, role);
      if (isAbuse) known.vcardArray = ['vcard', jCardOf(object, 'abuse')];
      continue;
    }
    entities.set(handle, {
      objectClassName: 'entity',
      handle,
      roles: [role],
      vcardArray: ['vcard', jCardOf(object, isAbuse ? 'abuse' : profile.redactContactEmail ? 'none' : 'all')],
      links: [linkTo(context, 'self', entityPath(handle))],
    });
  }
  if (profile.redactContactEmail) {
    for (const [, , handle, text] of nested) {
      const entity = entities.get(handle);
      if (
        text === null ||
        !entity ||
        withheld.has(handle) ||
        entity.roles.includes('abuse') ||
        redacted.some(({ prePath }) => prePath.includes(`'${handle}'`))
      )
        continue;
      const object = publicObject(text);
      if (!object || mailboxesOf(object, 'all').length === 0) continue;
      redacted.push({
        name: { description: `E-mail addresses of the ${entity.roles.join(' and ')} contact` },
        reason: { description: 'Personal data; the abuse contact has an address' },
        prePath: `$.entities[?(@.handle=='${handle}')].vcardArray[1][?(@[0]=='email')]`,
        method: 'removal',
      });
    }
  }
  return { entities: [...entities.values()], redacted };
}

function addRole(entity: Entity, role: string): void {
  if (!entity.roles.includes(role)) entity.roles.push(role);
}

/** Why an entity is named without its data: the types of remarks are those of RFC 9083, section 10.2.1. */
const reasons = {
  long: {
    title: 'Shortened',
    type: 'object truncated due to excessive load',
    description: ['This object is long. Ask for it by its handle.'],
  },
  limit: {
    title: 'Contact left out',
    type: 'object truncated due to authorization',
    description: ['Your address reached the daily limit of contact lookups. Contacts are shown again after midnight UTC.'],
  },
} as const satisfies Record<string, { title: string; type: string; description: readonly string[] }>;

/** An entity that an answer names by its handle alone. */
function withoutCard(context: AnswerContext, { handle, role, why }: { handle: string; role: string; why: keyof typeof reasons }): Entity {
  const { title, type, description } = reasons[why];
  return {
    objectClassName: 'entity',
    handle,
    roles: [role],
    remarks: [{ title, type, description: [...description] }],
    links: [linkTo(context, 'self', entityPath(handle))],
  };
}

/** A requested person, role, organisation, irt or mntner. The look-up adds networks and AS numbers. */
export function entityOf(
  context: AnswerContext,
  { shown, text, ...stamp }: { shown: string; text: string } & Stamp,
  referred: readonly Referred[],
): { entity: Entity; redacted: Redaction[] } {
  const object = publicObject(text) ?? { class: '', attributes: [] };
  const { entities, redacted } = nestedEntities(
    context,
    object,
    referred.filter(([, , handle]) => handle !== shown),
  );
  const entity: Entity = {
    objectClassName: 'entity',
    handle: shown,
    roles: object.class === 'irt' || valueOf(object, 'abuse-mailbox') !== undefined ? ['abuse'] : [],
    vcardArray: ['vcard', jCardOf(object, object.class === 'irt' ? 'abuse' : 'all')],
    ...(entities.length > 0 && { entities }),
    ...langOf(object),
    ...remarksOf(object),
    ...eventsOf(object, stamp),
    links: [linkTo(context, 'self', entityPath(shown))],
    port43: context.profile.whoisHost,
  };
  return { entity, redacted };
}

/** An entity as a row of search results: name, kind and address lines, no e-mail. */
export function foundEntity(
  context: AnswerContext,
  { class: className, shown, text }: { class: string; shown: string; text: string },
): Entity {
  if (isPersonal({ class: className, text })) context.people.shown.add(shown);
  const object = publicObject(text) ?? { class: '', attributes: [] };
  return {
    objectClassName: 'entity',
    handle: shown,
    roles: [],
    vcardArray: ['vcard', jCardOf(object, context.profile.redactContactEmail && object.class === 'person' ? 'none' : 'all')],
    ...langOf(object),
    ...remarksOf(object),
    links: [linkTo(context, 'self', entityPath(shown))],
  };
}
