import type { Database } from '../../platform/database/index.ts';
import type { Profile } from '../../profile.ts';
import { noPeople } from './answer.ts';
import { readBootstrap } from './bootstrap.ts';
import { isEntityClass } from './j-card.ts';
import { lookUpAutnum, lookUpDomain, lookUpEntity, lookUpIp, type Outcome } from './look-ups.ts';
import { RdapRefusal } from './refusal.ts';

/** The query below /rdap, and the time of the answered object's last change; null if another object, or none, is answered. */
export type RdapReadBack = { query: string; lastChanged: string | null };

type Place = { db: Database; base: string; bootstrapDir: string; profile: Profile };

/** Queries RDAP for a whois object by its key; null for classes without RDAP (routes, sets, certificates). */
export async function readBackRdap(
  { db, base, bootstrapDir, profile }: Place,
  { class: className, shown }: { class: string; shown: string },
): Promise<RdapReadBack | null> {
  const query = pathOf(className, shown);
  if (query === null) return null;
  const place = { db, context: { base, request: `${base}/${query}`, profile, people: noPeople() }, bootstrap: readBootstrap(bootstrapDir) };
  let outcome: Outcome;
  try {
    if (className === 'aut-num') outcome = await lookUpAutnum(place, shown.replace(/^as/i, ''));
    else if (className === 'domain') outcome = await lookUpDomain(place, shown);
    else if (isEntityClass(className)) outcome = await lookUpEntity(place, shown, () => undefined);
    else outcome = await lookUpIp(place, shown);
  } catch (error) {
    if (!(error instanceof RdapRefusal)) throw error;
    return { query, lastChanged: null };
  }
  const body = 'body' in outcome ? (outcome.body as { handle?: string; events?: { eventAction: string; eventDate: string }[] }) : null;
  const same = body?.handle?.toLowerCase() === shown.toLowerCase();
  return { query, lastChanged: (same && body?.events?.find(event => event.eventAction === 'last changed')?.eventDate) || null };
}

function pathOf(className: string, shown: string): string | null {
  if (className === 'inetnum' || className === 'inet6num') return `ip/${shown.replace(/\s*-\s*/, '-')}`;
  if (className === 'aut-num') return `autnum/${shown.replace(/^as/i, '')}`;
  if (className === 'domain') return `domain/${shown}`;
  return isEntityClass(className) ? `entity/${encodeURIComponent(shown)}` : null;
}
