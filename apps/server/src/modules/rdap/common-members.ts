import { type RpslObject, valueOf, valuesOf } from '@portal/rpsl';
import type { Event, Link, Notice } from './answer.ts';

/** First and last version of an object: ISO instants. */
export type Stamp = { createdAt: string; changedAt: string };

const instant = (text: string | undefined): string | undefined =>
  text !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) ? text : undefined;
const seconds = (iso: string): string => new Date(iso).toISOString().replace(/\.\d+Z$/, 'Z');

/** Start of the delegation that an object represents, and whether by a transfer; null if it represents none. */
export const delegationEvents = ({
  delegatedOn,
  transferred,
}: {
  delegatedOn?: string | null;
  transferred?: boolean | null;
}): { on: string; transferred: boolean } | null =>
  delegatedOn ? { on: `${delegatedOn}T00:00:00Z`, transferred: transferred === true } : null;

/**
 * `registration` and `last changed` (NRO profile 4.4), and `transfer` if its holder got it from another one (RFC 9083 section 4.5). For imported
 * objects their own attributes are used.
 */
export function eventsOf(
  object: RpslObject,
  { createdAt, changedAt }: Stamp,
  delegation: ReturnType<typeof delegationEvents> = null,
): { events: Event[] } {
  // A delegation has a day in the registry's time zone, which may begin on the previous day in UTC.
  const began = delegation && (delegation.on > seconds(changedAt) ? seconds(changedAt) : delegation.on);
  return {
    events: [
      { eventAction: 'registration', eventDate: began ?? instant(valueOf(object, 'created')) ?? seconds(createdAt) },
      ...(delegation?.transferred && began !== null ? [{ eventAction: 'transfer' as const, eventDate: began }] : []),
      { eventAction: 'last changed', eventDate: instant(valueOf(object, 'last-modified')) ?? seconds(changedAt) },
    ],
  };
}

/**
 * `descr` and `remarks` as remarks; empty if there are none. A remark lists several economies or languages, because a member can hold only one (RFC
 * 9083, 4.4 and 5.4).
 */
export function remarksOf(object: RpslObject): { remarks?: Notice[] } {
  const remarks: Notice[] = [];
  for (const [name, title] of [
    ['descr', 'description'],
    ['remarks', 'remarks'],
  ] as const) {
    const description = valuesOf(object, name);
    if (description.length > 0) remarks.push({ title, description });
  }
  for (const [title, member, values] of [
    ['Countries', 'country', countriesOf(object)],
    ['Languages', 'lang', languagesOf(object)],
  ] as const)
    if (values.length > 1) remarks.push({ title, description: [`${values.join(', ')}. The member ${member} can have the first only.`] });
  return remarks.length > 0 ? { remarks } : {};
}

/** Returns the links to the holder's locations of addresses (RFC 8805, RFC 9632): from the attribute, or a remark that begins so. */
export function geofeedLinks(object: RpslObject, request: string): Link[] {
  const remark = valuesOf(object, 'remarks').flatMap(text => /^Geofeed:?\s+(https:\/\/\S+)/i.exec(text)?.[1] ?? [])[0];
  const address = valueOf(object, 'geofeed') ?? remark;
  return address === undefined || !URL.canParse(address)
    ? []
    : [{ value: request, rel: 'geofeed', href: address, type: 'application/geofeed+csv' }];
}

const twoLetters = (object: RpslObject, name: string): string[] => [
  ...new Set(valuesOf(object, name).flatMap(value => (/^[a-z]{2}$/i.test(value) ? [value.toLowerCase()] : []))),
];
const countriesOf = (object: RpslObject): string[] => twoLetters(object, 'country').map(code => code.toUpperCase());
const languagesOf = (object: RpslObject): string[] => twoLetters(object, 'language');

/** The first economy of an object, in capitals. */
export function countryOf(object: RpslObject): { country?: string } {
  const [country] = countriesOf(object);
  return country === undefined ? {} : { country };
}

/** The first language of an object, in small letters (RFC 5646). */
export function langOf(object: RpslObject): { lang?: string } {
  const [lang] = languagesOf(object);
  return lang === undefined ? {} : { lang };
}
