import { permissions } from '@portal/contract';
import { staffPermissionWords } from '@portal/contract/staff-permission-words';
import { dayInWords } from '../../platform/day-words.ts';

/** A detail of what is proposed, in words. */
export type ShownDetail = { label: string; value: string };

/** Details whose name in the activity log is not what people call them. */
const labels: Readonly<Record<string, string>> = {
  asns: 'AS numbers',
  atProvider: 'At the identity provider',
  bankLine: 'Line of the bank statement',
  bankLineId: 'Line of the bank statement',
  castAs: 'Votes as',
  ds: 'DS records',
  eInvoice: 'Electronic invoice',
  extended: 'Accounts that get more time',
  fullName: 'Name',
  id: 'Number',
  helperUntil: 'Helps until',
  ipv4: 'IPv4',
  ipv6: 'IPv6',
  mailedTo: 'E-mail to',
  ownEmail: 'Own e-mail address',
  roas: 'ROAs',
  roasHandedOver: 'ROAs handed over',
  secondFactorFrom: 'Two-factor required from',
  securityEmail: 'Security e-mail address',
  sha256: 'SHA-256',
  sid: 'Session',
  signsAspas: 'Signs ASPAs',
  signsRoas: 'Signs ROAs',
  url: 'Address on the web',
  uuid: 'Number of the election',
  vrps: 'Validated ROA payloads',
  whom: 'Person',
};

/** Details that hold a word of the program, such as `in-review`, and never a name. */
const codes: ReadonlySet<string> = new Set([
  'acts',
  'contactTypes',
  'decision',
  'field',
  'ground',
  'kind',
  'method',
  'objectClass',
  'outcome',
  'permissions',
  'queue',
  'resources',
  'result',
  'scopes',
  'stage',
  'state',
  'status',
  'accountStatus',
  'step',
  'topic',
  'topics',
  'type',
  'visibility',
  'secondPersonBecause',
]);

const begun = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
const apart = (name: string): string =>
  name.replace(/([a-z0-9])([A-Z])/g, (_, end: string, begin: string) => `${end} ${begin.toLowerCase()}`);

/** Returns what people call a detail of the activity log: `holdId` is a hold, `ipv4` IPv4. */
export function labelOf(key: string): string {
  const known = labels[key];
  if (known !== undefined) return known;
  const named = apart(key)
    .replace(/ id$/, '')
    .replace(/\bemail\b/, 'e-mail')
    .replace(/\broas?\b/, roas => roas.toUpperCase().replace(/S$/, 's'))
    .replace(/\bip(v[46])\b/, 'IP$1');
  return named.startsWith('IP') ? named : begun(named);
}

const codeWords = (code: string): string =>
  (permissions as Record<string, { label: string }>)[code]?.label ??
  (staffPermissionWords as Record<string, string>)[code] ??
  (/^[a-z][a-zA-Z]*(-[a-z]+)*$/.test(code) ? apart(code).replaceAll('-', ' ') : code);

function textWords(key: string, text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return dayInWords(text);
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return `${dayInWords(text)} at ${text.slice(11, 16)} UTC`;
  return codes.has(key) ? codeWords(text) : text;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a value of a detail in words. @param key of the detail, which says whether it holds a word of the program */
export function valueOf(key: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(each => valueOf(key, each)).join(', ');
  if (isRecord(value))
    return Object.entries(value)
      .map(([name, each]) => `${labelOf(name)}: ${valueOf(name, each)}`)
      .join('; ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return textWords(key, String(value as string | number));
}

/** Returns what a proposal shows, a detail a line. What is noted as it was and as it will be is one line for each value that changes. */
export function shownDetails(noted: Readonly<Record<string, unknown>>): ShownDetail[] {
  const { before, after, ...others } = noted;
  const isPair = isRecord(before) && isRecord(after);
  const changed = isPair
    ? [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap(name => {
        const [was, is] = [valueOf(name, before[name]), valueOf(name, after[name])];
        return was === is ? [] : [{ label: labelOf(name), value: was === 'none' ? is : `from ${was} to ${is}` }];
      })
    : [];
  const rest = isPair ? others : noted;
  return [...Object.entries(rest).map(([name, value]) => ({ label: labelOf(name), value: valueOf(name, value) })), ...changed];
}
