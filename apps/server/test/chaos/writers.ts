import { randomBytes } from 'node:crypto';
import type { Endpoint } from '@portal/contract';
import { api } from '@portal/contract/api';
import type { Random } from '../../src/platform/demo.ts';

/** The account that is written to, and its AS number. */
const ACCOUNT = 'EXAMPLE-AU';
/** AS numbers of the ROAs that are made: each is used once, so that a row tells which call made it. */
const FIRST_ASN = 1_000_000;

/** A change that a client sent. `saved` is null until it is known. */
export type Sent = {
  kind: Kind;
  number: number;
  person: string;
  key: string;
  traceId: string;
  saved: boolean | null;
};
type Kind = 'preferences' | 'whois' | 'roa' | 'ticket';
type Call = { endpoint: Endpoint; path: string; body: unknown; person: string };

/** The call that each kind of client makes for a number. */
export const kinds: Readonly<Record<Kind, (number: number, version: number) => Call>> = {
  preferences: number => ({
    endpoint: api.people.savePreferences,
    path: api.people.savePreferences.path,
    body: { hourCycle: number % 3 === 0 ? 'h12' : 'h23' },
    person: ['corin', 'bill', 'tilda', 'nils', 'hana', 'max'][number % 6]!,
  }),
  whois: number => ({
    endpoint: api.whois.uploadText,
    path: `/api/${ACCOUNT}/whois/uploads`,
    body: {
      text: `route6: 2001:db8:${(number % 32_768).toString(16)}::/48\ndescr: chaos ${number}.\norigin: AS64500\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n`,
      dryRun: false,
    },
    person: 'tess',
  }),
  roa: (number, version) => ({
    endpoint: api.rpki.changeRoas,
    path: `/api/${ACCOUNT}/rpki/roas`,
    body: {
      add: [{ prefix: `2001:db8:${(number % 32_768).toString(16)}::/48`, maxLength: 48, asn: `AS${FIRST_ASN + number}` }],
      remove: [],
      version,
    },
    person: 'corin',
  }),
  ticket: number => ({
    endpoint: api.tickets.openTicket,
    path: '/api/tickets',
    body: { queue: 'helpdesk', account: null, subject: `chaos ${number}.`, text: 'Sent while something fails.' },
    person: ['bill', 'tilda', 'hana', 'max'][number % 4]!,
  }),
};

/** Statement that counts what a change wrote, besides its activity line. @returns null where the line is all */
export const foundBy = ({ kind, number }: Pick<Sent, 'kind' | 'number'>): string | null =>
  kind === 'whois'
    ? `select count(*)::int as n from whois_object where class = 'route6' and text like '%chaos ${number}.%'`
    : kind === 'roa'
      ? `select count(*)::int as n from roa where asn = ${FIRST_ASN + number}`
      : kind === 'ticket'
        ? `select count(*)::int as n from ticket where subject = 'chaos ${number}.'`
        : null;

export const asnOf = (number: number): number => FIRST_ASN + number;

/** A new change of a drawn kind, not yet sent. */
export function drawSent(number: number, random: Random): Sent {
  const kind = (['preferences', 'whois', 'roa', 'whois', 'ticket'] as const)[random(5)]!;
  return {
    kind,
    number,
    person: kinds[kind](number, 0).person,
    key: `chaos-${randomBytes(12).toString('hex')}`,
    traceId: randomBytes(16).toString('hex'),
    saved: null,
  };
}

export const endpointOf = ({ kind, number }: Pick<Sent, 'kind' | 'number'>): Endpoint => kinds[kind](number, 0).endpoint;
