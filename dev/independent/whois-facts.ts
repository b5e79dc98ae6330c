import { wordsOf, type Answer } from './public-crawl.ts';

/** Facts of one thing as one way to ask says them, in words that can be compared. An undefined fact is one that the way doesn't have. */
export type Facts = Readonly<Record<string, string | undefined>>;

/** Attributes of one object, in their order, from a text in RPSL: read here on its own, without the parser of the product. */
function attributesOf(text: string): [name: string, value: string][] {
  const attributes: [string, string][] = [];
  for (const line of text.split(/\r?\n/)) {
    const last = attributes.at(-1);
    const [, name, value] = /^([A-Za-z][\w-]*):(.*)$/.exec(line) ?? [];
    if (name !== undefined) attributes.push([name.toLowerCase(), value!.trim()]);
    else if (last && /^[ \t+]/.test(line)) last[1] = `${last[1]} ${line.slice(1).trim()}`;
  }
  return attributes;
}

/** Objects of an answer as text, without remarks of the server. */
const objectsOf = (text: string): [string, string][][] =>
  text
    .split(/\n\s*\n/)
    .map(paragraph => attributesOf(paragraph.replace(/^%.*$/gm, '').trim()))
    .filter(object => object.length > 0);

const firstOf = (object: readonly [string, string][], name: string): string | undefined => object.find(([each]) => each === name)?.[1];
const allOf = (object: readonly [string, string][], name: string): string[] =>
  object.filter(([each]) => each === name).map(([, value]) => value);
const joined = (values: readonly string[]): string => [...new Set(values.map(each => each.toLowerCase()))].toSorted().join(', ');

/** The object that a key is about, among those of a text. */
const objectFor = (objects: readonly [string, string][][], classes: readonly string[]): [string, string][] | undefined =>
  objects.find(([head]) => classes.includes(head![0]));

export type Subject = { key: string; kind: 'network' | 'as' | 'entity' | 'zone' };
const classesOf: Record<Subject['kind'], readonly string[]> = {
  network: ['inetnum', 'inet6num'],
  as: ['aut-num'],
  entity: ['person', 'role', 'organisation', 'irt', 'mntner'],
  zone: ['domain'],
};

/** Facts of the text in which port 43 and /whois answer. */
export function factsOfText({ kind, key }: Subject, text: string): Facts {
  const objects = objectsOf(text);
  const object =
    kind === 'entity'
      ? objects.find(each => (firstOf(each, 'nic-hdl') ?? each[0]![1]).toLowerCase() === key.toLowerCase())
      : objectFor(objects, classesOf[kind]);
  if (!object) return { found: 'no' };
  return {
    found: 'yes',
    handle: (firstOf(object, 'nic-hdl') ?? object[0]![1]).toLowerCase(),
    ...(kind === 'network' && { name: firstOf(object, 'netname'), type: firstOf(object, 'status'), country: firstOf(object, 'country') }),
    ...(kind === 'as' && { name: firstOf(object, 'as-name'), country: firstOf(object, 'country') }),
    ...(kind === 'entity' && { name: firstOf(object, 'org-name') ?? firstOf(object, 'person') ?? firstOf(object, 'role') }),
    ...(kind === 'zone' && {
      servers: joined(allOf(object, 'nserver').map(value => value.split(/\s+/)[0]!.replace(/\.$/, ''))),
      signed: String(allOf(object, 'ds-rdata').length > 0),
    }),
    changed: firstOf(object, 'last-modified')?.replace(/\.\d+Z$/, 'Z'),
  };
}

/** The mailbox for reports of abuse in the remarks of port 43. */
export const abuseInText = (text: string): string | null => /^% Abuse contact for '.*' is '(.*)'$/m.exec(text)?.[1] ?? null;
/** The mailbox in an answer to -b. */
export const mailboxIn = (text: string): string | null => /^abuse-mailbox:[ \t]*(\S+)/m.exec(text)?.[1] ?? null;

/** The same on a page. */
export function abuseOnPage(answer: Answer): string | null {
  const [, part = ''] = /<p class="mailbox">(.*?)<\/p>/s.exec(answer.body) ?? [];
  return wordsOf({ ...answer, body: part }).trim() || null;
}

type Property = [name: string, parameters: object, type: string, value: string];
type Entity = { handle: string; roles: string[]; vcardArray?: ['vcard', Property[]]; entities?: Entity[] };
type Rdap = {
  handle: string;
  name?: string;
  type?: string;
  country?: string;
  vcardArray?: ['vcard', Property[]];
  entities?: Entity[];
  events?: { eventAction: string; eventDate: string }[];
  nameservers?: { ldhName: string }[];
  links?: { rel: string; href: string }[];
  secureDNS?: { delegationSigned: boolean };
};
const propertyOf = (card: ['vcard', Property[]] | undefined, name: string): string | undefined =>
  card?.[1].find(([each]) => each === name)?.[3];

/** Facts of an answer of RDAP. */
export function factsOfRdap({ kind }: Subject, body: string): Facts {
  const answer = JSON.parse(body) as Rdap;
  return {
    found: 'yes',
    handle: answer.handle.toLowerCase().replace(/\.$/, ''),
    ...((kind === 'network' || kind === 'as') && { name: answer.name, country: answer.country }),
    ...(kind === 'network' && { type: answer.type }),
    ...(kind === 'entity' && { name: propertyOf(answer.vcardArray, 'fn') }),
    ...(kind === 'zone' && {
      servers: joined((answer.nameservers ?? []).map(({ ldhName }) => ldhName.replace(/\.$/, ''))),
      signed: String(answer.secureDNS?.delegationSigned ?? false),
    }),
    changed: answer.events?.find(({ eventAction }) => eventAction === 'last changed')?.eventDate.replace(/\.\d+Z$/, 'Z'),
  };
}

/** The mailboxes for reports of abuse in an answer of RDAP. */
export const abuseInRdap = (body: string): string[] =>
  ((JSON.parse(body) as Rdap).entities ?? [])
    .filter(({ roles }) => roles.includes('abuse'))
    .flatMap(({ vcardArray }) => (vcardArray?.[1] ?? []).filter(([name]) => name === 'email').map(([, , , value]) => value));

/** Where RDAP has the network above; null where there is none. */
export const linkUp = (body: string): string | null => (JSON.parse(body) as Rdap).links?.find(({ rel }) => rel === 'up')?.href ?? null;

/** Differences between facts of two ways to ask, where both have them. */
export const differences = (first: Facts, second: Facts): string[] =>
  Object.keys(first)
    .filter(name => first[name] !== undefined && second[name] !== undefined && first[name] !== second[name])
    .map(name => `${name} is ${first[name]} and ${second[name]}`);
