import { attributeOf, formatObject, listValues, parseObject, type RpslAttribute, type RpslObject, valueOf } from '@portal/rpsl';
import type { Profile } from '../../../profile.ts';

/** How dumps and mirrors treat persons: left out, replaced by a dummy, or shown. */
type PersonalData = Profile['dumpPersonalData'];

const mailAttributes = new Set(['e-mail', 'notify', 'mnt-nfy', 'upd-to', 'irt-nfy', 'ref-nfy', 'changed']);
const phoneAttributes = new Set(['phone', 'fax-no']);
/** All that stays of a person: its handle and maintainers. */
const storedForPeople = new Set(['nic-hdl', 'mnt-by', 'last-modified', 'created', 'source']);

/**
 * An object as dumps and mirrors have it: values from column 17, no credentials, personal data by the registry profile. Null if it is left out. The
 * same for both, and for every version of an object (draft-ietf-grow-nrtm-v4, 4.3.4).
 */
export function publicCopy(text: string, personal: PersonalData): string | null {
  const { object } = parseObject(text);
  if (!object || (personal === 'omit' && object.class === 'person')) return null;
  const shown = withoutAuth(object);
  return formatObject(personal === 'dummy' ? withDummies(shown) : shown);
}

const withoutAuth = (object: RpslObject): RpslObject =>
  object.attributes.some(({ name }) => name === 'auth') ? { ...object, attributes: object.attributes.map(withoutSecret) } : object;
const withoutSecret = (attribute: RpslAttribute): RpslAttribute =>
  attribute.name === 'auth' ? { ...attribute, written: 'auth', value: '', raw: ' # Filtered\n', comment: 'Filtered' } : attribute;

/** Roles for abuse contacts aren't persons, and keep that mailbox. */
const isPersonal = (object: RpslObject): boolean =>
  object.class === 'person' || (object.class === 'role' && valueOf(object, 'abuse-mailbox') === undefined);

function withDummies(object: RpslObject): RpslObject {
  if (!isPersonal(object)) return { ...object, attributes: object.attributes.map(masked) };
  const kept = object.attributes.filter(({ name }) => storedForPeople.has(name));
  const [handle, rest] = [kept.filter(({ name }) => name === 'nic-hdl'), kept.filter(({ name }) => name !== 'nic-hdl')];
  return {
    class: object.class,
    attributes: [
      attributeOf(object.class, 'Name Removed'),
      attributeOf('address', '***'),
      attributeOf('country', 'ZZ'),
      attributeOf('phone', '+000000000'),
      attributeOf('e-mail', 'unread@invalid.invalid'),
      ...handle,
      attributeOf('remarks', 'Personal data is left out of this copy'),
      ...rest,
    ],
  };
}

function masked(attribute: RpslAttribute): RpslAttribute {
  if (phoneAttributes.has(attribute.name)) return attributeOf(attribute.name, '+000000000');
  if (!mailAttributes.has(attribute.name)) return attribute;
  return attributeOf(
    attribute.name,
    listValues(attribute.value)
      .map(value => value.replace(/^.*@/, '***@'))
      .join(', '),
  );
}
