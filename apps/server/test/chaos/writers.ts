import { randomBytes } from 'node:crypto';
import type { Endpoint } from '@portal/contract';
import { api } from '@portal/contract/api';
import { utcDay } from '@portal/contract/days';
import type { Random } from '../../src/platform/demo.ts';
import { samplePdf } from '../sample-files.ts';

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
/** Facts that a call names and only the registry knows: the version of the list of ROAs, a contact of the account, and an invoice that is paid a cent at a time. */
export type Known = { version: number; contact: string; invoiceNumber: string };
const nothing: Known = { version: 0, contact: '', invoiceNumber: '' };
type Call = { endpoint: Endpoint; path: string; body: unknown; person: string };

/** One of the reverse zones of a /19 of the account, which has some already. */
const zoneOf = (number: number): string => `${4 + (number % 28)}.18.198.in-addr.arpa`;
/** The route of a number: a /48 of the account’s IPv6. */
export const prefixOf = (number: number): string => `2001:db8:${(number % 65_536).toString(16)}::/48`;

/** The call that each kind of client makes for a number. */
export const kinds = {
  preferences: (number: number) => ({
    endpoint: api.people.savePreferences,
    path: api.people.savePreferences.path,
    body: { hourCycle: number % 3 === 0 ? 'h12' : 'h23' },
    person: ['corin', 'bill', 'tilda', 'nils', 'hana', 'max'][number % 6]!,
  }),
  whois: (number: number) => ({
    endpoint: api.whois.uploadText,
    path: `/api/${ACCOUNT}/whois/uploads`,
    body: {
      text: `route6: ${prefixOf(number)}\ndescr: chaos ${number}.\norigin: AS64500\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n`,
      dryRun: false,
    },
    person: 'tess',
  }),
  zone: (number: number, { contact }: Known) => ({
    endpoint: api.reverseDns.submitZones,
    path: `/api/${ACCOUNT}/reverse-dns/zones`,
    body: {
      zones: [zoneOf(number)],
      servers: [`ns${number}.example.net`, 'ns2.example.net'],
      adminC: contact,
      techC: contact,
      zoneC: contact,
      mntBy: 'MAINT-AU-EXAMPLE',
    },
    person: 'tess',
  }),
  roa: (number: number, { version }: Known) => ({
    endpoint: api.rpki.changeRoas,
    path: `/api/${ACCOUNT}/rpki/roas`,
    body: { add: [{ prefix: prefixOf(number), maxLength: 48, asn: `AS${FIRST_ASN + number}` }], remove: [], version },
    person: 'corin',
  }),
  ticket: (number: number) => ({
    endpoint: api.tickets.openTicket,
    path: '/api/tickets',
    body: { queue: 'helpdesk', account: null, subject: `chaos ${number}.`, text: 'Sent while something fails.' },
    person: ['bill', 'tilda', 'hana', 'max'][number % 4]!,
  }),
  file: (number: number) => ({
    endpoint: api.files.uploadFile,
    path: `/api/files?fileName=chaos-${number}.pdf`,
    body: samplePdf(`chaos ${number}.`),
    person: ['corin', 'tess', 'bill', 'tilda'][number % 4]!,
  }),
  statement: (number: number) => ({
    endpoint: api.bankStatements.importBankStatement,
    path: '/api/staff/bank-statements',
    body: {
      fileName: 'statement.csv',
      content: `Date,Amount,Description,Payer,Bank reference\n${utcDay(new Date())},1.00,chaos ${number}.,Someone,TRN ${number}\n`,
    },
    person: 'stella',
  }),
  payment: (number: number, { invoiceNumber }: Known) => ({
    endpoint: api.billing.recordPayment,
    path: `/api/staff/invoices/${invoiceNumber}/payments`,
    body: { amount: '0.01', receivedOn: utcDay(new Date()), reference: `chaos ${number}.` },
    person: 'stella',
  }),
} satisfies Record<string, (number: number, known: Known) => Call>;
export type Kind = keyof typeof kinds;
/** By how often they are drawn. */
const drawn: readonly Kind[] = ['preferences', 'whois', 'whois', 'roa', 'ticket', 'zone', 'file', 'statement', 'payment'];

export const callOf = ({ kind, number }: Pick<Sent, 'kind' | 'number'>, known: Known): Call => kinds[kind](number, known);
export const endpointOf = (sent: Pick<Sent, 'kind' | 'number'>): Endpoint => callOf(sent, nothing).endpoint;

const numbered = (table: string, column: string, pattern: string): string =>
  `select substring(${column} from '${pattern}')::int as number, count(*)::int as n from ${table} where ${column} ~ '${pattern}' group by 1`;

/**
 * Statements that count what the changes of each kind wrote, besides their activity lines, by their number. Of the other kinds the line is all, or what was written may have been
 * overwritten.
 */
export const written: Partial<Record<Kind, string>> = {
  whois: numbered(`whois_object`, 'text', 'chaos (\\d+)\\.'),
  roa: `select asn - ${FIRST_ASN} as number, count(*)::int as n from roa where asn >= ${FIRST_ASN} group by 1`,
  ticket: numbered('ticket', 'subject', '^chaos (\\d+)\\.$'),
  file: numbered('document', 'file_name', '^chaos-(\\d+)\\.pdf$'),
  statement: numbered('bank_line', 'remittance', '^chaos (\\d+)\\.$'),
  payment: numbered('payment', 'reference', '^chaos (\\d+)\\.$'),
};
/** Counts the tickets that mails opened, by the number of the mail. */
export const opened = numbered('ticket', 'subject', '^chaos mail (\\d+)\\.$');

export const asnOf = (number: number): number => FIRST_ASN + number;

/** A new change of a drawn kind, not yet sent. */
export function drawSent(number: number, random: Random): Sent {
  const kind = drawn[random(drawn.length)]!;
  return {
    kind,
    number,
    person: kinds[kind](number, nothing).person,
    key: `chaos-${randomBytes(12).toString('hex')}`,
    traceId: randomBytes(16).toString('hex'),
    saved: null,
  };
}
