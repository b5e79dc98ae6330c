import {
  type AttributeName,
  attributes,
  type ClassName,
  classes,
  exampleValue,
  isFilledIn,
  objectOf,
  parseObject,
  printObject,
  type RpslObject,
  type TemplateRow,
} from '../src/index.ts';

/**
 * The table of possible updates of whois objects and their errors: for every class of the template a valid object of the demo registry,
 * and every way of breaking it that the template knows. It is run through the page of an object and through the text upload.
 */

const contacts = 'admin-c: ENO1-EX\ntech-c: ENO1-EX\n';
const end = 'mnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n';
const postal = 'address: 1 Street\ncountry: AU\nphone: +61 7 5550 0100\ne-mail: a@example.net\n';
const network = 'netname: TABLE\ndescr: Table\ncountry: AU\n';

/** A key made for these tests with GnuPG; `gpg --list-keys` calls it 11C8 0BD4 67CC E59F E8E7  568D 9AE2 248A B2DE 8421. */
export const openPgpKey = `-----BEGIN PGP PUBLIC KEY BLOCK-----

mDMEawHanBYJKwYBBAHaRw8BAQdA3esqNsHNCj1ruIbeZFqiWwLnFoKzAy2jGpy8
JHNpCTm0NkV4YW1wbGUgTmV0d29ya3MgQWJ1c2UgRGVzayA8YWJ1c2VAZXhhbXBs
ZS1hdS5leGFtcGxlPoiWBBMWCAA+FiEEEcgL1GfM5Z/o51aNmuIkirLehCEFAmsB
2pwCGwMFCYej8aQFCwkIBwIGFQoJCAsCBBYCAwECHgECF4AACgkQmuIkirLehCHo
vwEA7j7DmLYv58mvKRtfQ2pBFhQYfvp6FMMwpQFq5qCaS/oBAPt4DiQ9F6qD9tkv
73y7dml5ZoCfuklNqCk+D2EjXhEJuDgEawHanBIKKwYBBAGXVQEFAQEHQHhXxX3R
LwFdl7sTSVYvRH+ZYNZzX0deF1Or/SohCvpKAwEIB4h+BBgWCAAmFiEEEcgL1GfM
5Z/o51aNmuIkirLehCEFAmsB2pwCGwwFCYej8aQACgkQmuIkirLehCHP4QEAmasS
rqyR2cVRGBnP1wM1RsRO1mTq+wVeQxdeoqNvNpMBAJGGp+iT10L4G7I0G8auUGFt
ID01qkQW8jw4FGS4kmQL
=toVo
-----END PGP PUBLIC KEY BLOCK-----
`;

/** The lines of an armoured key as a key-cert has them. */
export const certifLines = (key: string): string =>
  key
    .trimEnd()
    .split('\n')
    .map(line => `certif: ${line}\n`)
    .join('');

/** A right object of each class, as EXAMPLE-AU of the demo registry may write it; what only the registry makes, as the registry would. */
export const rightTexts: Readonly<Record<ClassName, string>> = {
  inetnum: `inetnum: 198.18.30.0 - 198.18.30.255\n${network}${contacts}status: ASSIGNED NON-PORTABLE\nmnt-by: MAINT-AU-EXAMPLE\nmnt-irt: IRT-AU-EXAMPLE\nsource: EXAMPLE\n`,
  inet6num: `inet6num: 2001:db8:f000::/48\n${network}${contacts}status: ASSIGNED NON-PORTABLE\nmnt-by: MAINT-AU-EXAMPLE\nmnt-irt: IRT-AU-EXAMPLE\nsource: EXAMPLE\n`,
  'as-block': `as-block: AS64496 - AS64499\ndescr: Table\n${contacts}${end}`,
  'aut-num': `aut-num: AS64505\nas-name: TABLE\ndescr: Table\ncountry: AU\n${contacts}mnt-by: MAINT-AU-EXAMPLE\nmnt-irt: IRT-AU-EXAMPLE\nsource: EXAMPLE\n`,
  'as-set': `as-set: AS64500:AS-TABLE\ndescr: Table\nmembers: AS64500\n${contacts}${end}`,
  route: `route: 198.18.16.0/24\ndescr: Table\norigin: AS64500\n${end}`,
  route6: `route6: 2001:db8:f000::/48\ndescr: Table\norigin: AS64500\n${end}`,
  'route-set': `route-set: AS64500:RS-TABLE\ndescr: Table\nmembers: 198.18.0.0/19^+\n${contacts}${end}`,
  'inet-rtr': `inet-rtr: edge2.example.net\ndescr: Table\nlocal-as: AS64500\nifaddr: 198.18.2.2 masklen 24\n${contacts}${end}`,
  'filter-set': `filter-set: AS64500:FLTR-TABLE\ndescr: Table\nfilter: AS64500\n${contacts}${end}`,
  'peering-set': `peering-set: AS64500:PRNG-TABLE\ndescr: Table\npeering: AS64501\n${contacts}${end}`,
  'rtr-set': `rtr-set: AS64500:RTRS-TABLE\ndescr: Table\nmembers: edge1.syd.example.net\n${contacts}${end}`,
  domain: `domain: 4.18.198.in-addr.arpa\ndescr: Table\n${contacts}zone-c: ENO1-EX\nnserver: ns1.example.net\nnserver: ns2.example.net\n${end}`,
  mntner: `mntner: MAINT-TABLE\ndescr: Table\nadmin-c: ENO1-EX\nupd-to: noc@example.net\nauth: PORTAL\nmnt-by: MAINT-AU-EXAMPLE\nreferral-by: EXAMPLE-HM\nsource: EXAMPLE\n`,
  irt: `irt: IRT-TABLE\naddress: 1 Street\ne-mail: irt@example.net\nabuse-mailbox: abuse@example.net\n${contacts}auth: PORTAL\n${end}`,
  'key-cert': `key-cert: PGPKEY-B2DE8421\n${certifLines(openPgpKey)}${end}`,
  organisation: `organisation: ORG-TB77-EX\norg-name: Table\norg-type: LIR\ncountry: AU\naddress: 1 Street\ne-mail: a@example.net\nmnt-ref: MAINT-AU-EXAMPLE\n${end}`,
  role: `role: Table Operations\n${postal}${contacts}nic-hdl: TO77-EX\n${end}`,
  person: `person: Ann Table\n${postal}nic-hdl: AT77-EX\n${end}`,
};

/** Classes whose objects the registry makes, and no member. */
export const registryClasses: ReadonlySet<ClassName> = new Set<ClassName>(['as-block', 'aut-num', 'organisation']);

/** One way of spoiling an object, and what has to be said of it. */
export type InvalidObject = {
  /** `without descr`, `with two netname`, `with tech-c that is not there`. */
  name: string;
  class: ClassName;
  text: string;
  code: string;
  /** The attribute to mark; null if it is missing. */
  attribute: string | null;
  line: number | null;
  /** Whether the error shows in the object alone, or only together with others in the database. */
  shows: 'alone' | 'among others';
};

/** Every mandatory attribute missing, every single one doubled, every reference dangling. */
export function invalidObjects(className: ClassName): InvalidObject[] {
  const right = read(rightTexts[className]);
  const { template } = classes[className];
  return [
    ...template.filter(row => row.need === 'mandatory' && !isFilledIn(className, row.attribute)).map(row => without(right, row)),
    ...(className === 'filter-set' || className === 'peering-set'
      ? [without(right, { attribute: className === 'filter-set' ? 'filter' : 'peering' })]
      : []),
    ...template.filter(row => row.often === 'single' && row.need !== 'generated').map(row => doubled(right, row)),
    ...template
      .filter(row => attributes[row.attribute].refersTo.length > 0 && row.attribute !== className)
      .map(row => dangling(right, row)),
  ];
}

/** The text with a value in an attribute: in the line it has, or in a new one where the template has it. */
export function withLine(text: string, name: AttributeName, value: string): string {
  const object = read(text);
  const lines = linesOf(object);
  const at = lines.findIndex(line => line.name === name);
  if (at >= 0) return write(lines.with(at, { name, value }));
  return write(lines.toSpliced(placeOf(object, name), 0, { name, value }));
}

type Line = { name: string; value: string };

const read = (text: string): RpslObject => parseObject(text).object as RpslObject;
const linesOf = ({ attributes: given }: RpslObject): Line[] => given.map(({ name, value }) => ({ name, value }));
const write = (lines: readonly Line[]): string =>
  printObject(objectOf(lines.map(({ name, value }) => [name, value] as const))).replaceAll(/^([\w-]+:) +/gm, '$1 ');

/** Behind the last line that the template has before the attribute. */
function placeOf(object: RpslObject, name: string): number {
  const order = classes[object.class as ClassName].template.map(row => row.attribute as string);
  return object.attributes.findLastIndex(each => order.indexOf(each.name) <= order.indexOf(name)) + 1;
}

function without(right: RpslObject, { attribute }: { attribute: AttributeName }): InvalidObject {
  const lines = linesOf(right).filter(({ name }) => name !== attribute);
  const common = { name: `without ${attribute}`, class: right.class as ClassName, text: write(lines), shows: 'alone' } as const;
  // Without its first line it is an object of another class, and there is none of that name.
  if (attribute === right.class) return { ...common, code: 'class-unknown', attribute: lines[0]?.name ?? null, line: 1 };
  return { ...common, code: 'attribute-missing', attribute: null, line: null };
}

function doubled(right: RpslObject, { attribute }: TemplateRow): InvalidObject {
  const lines = linesOf(right);
  const at = lines.findIndex(({ name }) => name === attribute);
  const value = at < 0 ? exampleValue(right.class as ClassName, attribute) : (lines[at]?.value ?? '');
  const place = at < 0 ? placeOf(right, attribute) : at;
  const more = at < 0 ? [{ name: attribute, value }] : [];
  const text = write(lines.toSpliced(place, 0, ...more, { name: attribute, value }));
  return {
    name: `with two ${attribute}`,
    class: right.class as ClassName,
    text,
    code: 'attribute-repeated',
    attribute,
    line: place + 2,
    shows: 'alone',
  };
}

const nobody: Partial<Record<ClassName, string>> = {
  mntner: 'MAINT-NONE',
  irt: 'IRT-NONE',
  organisation: 'ORG-NO99-EX',
  person: 'NO99-EX',
  role: 'NO99-EX',
  'aut-num': 'AS4200009999',
  'key-cert': 'PGPKEY-00000000',
};

function dangling(right: RpslObject, { attribute }: TemplateRow): InvalidObject {
  const className = right.class as ClassName;
  const [referred] = attributes[attribute].refersTo as readonly ClassName[];
  const set = className === 'aut-num' ? 'AS64500:AS-NONE' : className === 'inet-rtr' ? 'AS64500:RTRS-NONE' : 'AS64500:RS-NONE';
  const value = attribute === 'member-of' ? set : ((referred && nobody[referred]) ?? 'NONE');
  const text = withLine(write(linesOf(right)), attribute, value);
  return {
    name: `with ${attribute} that is not there`,
    class: className,
    text,
    code: 'reference-missing',
    attribute,
    line: read(text).attributes.findIndex(({ name }) => name === attribute) + 1,
    shows: 'among others',
  };
}
