import type { EntityDrift, NirEntityDetails } from '@portal/contract/nir/entities';
import { formatObject, objectOf, parseObject, type RpslObject, valuesOf } from '@portal/rpsl';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import type { PolicyAndSettings } from '../../platform/registry.ts';
import { errorsOf, findObjects, type StoredObject, submitForAccount, writingRights } from '../whois/index.ts';
import type { EntityRow } from './entity-row.ts';

type Recorded = Pick<EntityRow, 'name' | 'address' | 'economy' | 'phone' | 'email' | 'handle'>;
const classes = ['organisation', 'role', 'person'] as const;

/** The attribute that names what an object of a class is about. */
const nameAttribute: Record<string, string> = { organisation: 'org-name', role: 'role', person: 'person' };

async function objectNamed(read: Pick<Read, 'rows'>, handle: string): Promise<StoredObject | null> {
  if (handle === '') return null;
  const found = await findObjects(
    read,
    classes.map(name => ({ class: name, key: handle.toLowerCase() })),
  );
  return found[0] ?? null;
}

/** Returns the values of the record for each attribute, one per whois line; empty ones are not compared. A person's name isn't the organisation's. */
function wantedOf(row: Recorded, objectClass: string): [attribute: string, values: string[]][] {
  const lines = row.address
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');
  return [
    ...(objectClass === 'person' || objectClass === 'role' ? [] : ([[nameAttribute[objectClass]!, [row.name]]] as [string, string[]][])),
    ['address', lines],
    ['country', row.economy === '' ? [] : [row.economy]],
    ['phone', row.phone === '' ? [] : [row.phone]],
    ['e-mail', row.email === '' ? [] : [row.email]],
  ].filter(([, values]) => (values as string[]).length > 0) as [string, string[]][];
}

/** Compares leniently: ignores case, punctuation of addresses, and everything but the digits of phone numbers. */
function normalised(attribute: string, values: readonly string[]): string {
  const text = values.join(' ').normalize('NFKC').toLowerCase();
  if (attribute === 'phone') return text.replaceAll(/\D/g, '');
  return attribute === 'e-mail' ? text.trim() : text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

function driftOf(row: Recorded, object: RpslObject, objectClass: string): EntityDrift[] {
  return wantedOf(row, objectClass).flatMap(([attribute, values]) => {
    const shown = valuesOf(object, attribute);
    return normalised(attribute, values) === normalised(attribute, shown)
      ? []
      : [{ attribute, record: values.join(', '), whois: shown.join(', ') }];
  });
}

/** The whois object of an organisation with the differences, or null. */
export async function whoisOf(read: Pick<Read, 'rows'>, row: Recorded): Promise<NirEntityDetails['whois']> {
  const stored = await objectNamed(read, row.handle);
  const object = stored && parseObject(stored.text).object;
  return stored && object ? { class: stored.class, key: stored.shown, drift: driftOf(row, object, stored.class) } : null;
}

/**
 * Copies the record of an organisation into its object; attributes that aren't in the record stay. @throws Failure NOT_FOUND without an object,
 * INVALID_REQUEST with the reasons of whois
 */
export async function pushToWhois(
  change: Change,
  account: AdmittedAccount,
  row: Recorded,
  { profile, config: limits }: PolicyAndSettings,
): Promise<void> {
  const stored = await objectNamed(change, row.handle);
  const object = stored && parseObject(stored.text).object;
  if (!stored || !object) throw refuse('NOT_FOUND', { what: row.handle === '' ? 'A whois object of the organisation' : row.handle });
  const differing = new Set(driftOf(row, object, stored.class).map(({ attribute }) => attribute));
  if (differing.size === 0) return;
  let changed = object;
  for (const [attribute, values] of wantedOf(row, stored.class).filter(([name]) => differing.has(name))) {
    const fresh = objectOf(values.map((value): [string, string] => [attribute, value])).attributes;
    const at = changed.attributes.findIndex(({ name }) => name === attribute);
    const kept = changed.attributes.filter(({ name }) => name !== attribute);
    const place = at < 0 ? afterName(kept) : changed.attributes.slice(0, at).filter(({ name }) => name !== attribute).length;
    changed = { ...changed, attributes: [...kept.slice(0, place), ...fresh, ...kept.slice(place)] };
  }
  const outcomes = await submitForAccount(
    change,
    account,
    [{ operation: 'modify', text: formatObject(changed), expectedVersion: stored.version }],
    { profile, limits, credentials: await writingRights(change, account), mode: 'atomic' },
  );
  const failed = outcomes.find(({ state }) => state === 'failed');
  if (failed) throw refuse('INVALID_REQUEST', { detail: `whois refuses ${failed.shown}: ${errorsOf(failed)}` });
}

/** A new attribute comes after the first ones, which name the object. */
const afterName = (attributes: readonly { name: string }[]): number => Math.min(attributes.length, 2);
