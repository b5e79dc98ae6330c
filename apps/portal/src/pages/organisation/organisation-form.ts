import type { DetailField, Organisation, OrganisationUpdate } from '@portal/contract/organisations/organisations';

type Question = {
  label: string;
  help?: string;
  type?: 'email' | 'tel' | 'url' | 'lines';
  /** Maximum length of a multi-line text; the contract has it for the others. */
  most?: number;
  needed?: true;
};

/** The question of each field that a member maintains itself. `lines`: an address, one line each. */
export const questions: Record<DetailField, Question> = {
  postalAddress: { label: 'Street or post box', help: 'Up to four lines.', type: 'lines', most: 410, needed: true },
  city: { label: 'City' },
  region: { label: 'State or region' },
  postcode: { label: 'Postcode' },
  phone: { label: 'Telephone', help: 'With country code, such as +61 7 5550 0100.', type: 'tel' },
  fax: { label: 'Fax', type: 'tel' },
  website: { label: 'Website', help: 'Starts with https:// or http://.', type: 'url' },
  abuseEmail: { label: 'E-mail for abuse reports', help: 'A mailbox that is read every day.', type: 'email' },
  billingAddress: {
    label: 'Billing address',
    help: 'Name and full address, up to six lines. Leave empty to use the postal address.',
    type: 'lines',
    most: 610,
  },
  billingEmail: { label: 'E-mail for invoices', type: 'email' },
  poNumber: { label: 'Purchase order number', help: 'Shown on invoices.' },
};

/** The parts of the page that a member changes itself, each saved on its own. */
export const parts = {
  address: { title: 'Postal address', fields: ['postalAddress', 'city', 'region', 'postcode'] },
  reach: { title: 'Contact details', fields: ['phone', 'fax', 'website', 'abuseEmail'] },
  billing: { title: 'Billing', fields: ['billingAddress', 'billingEmail', 'poNumber'] },
} as const satisfies Record<string, { title: string; fields: readonly DetailField[] }>;
export type Part = keyof typeof parts;
export const partNames = Object.keys(parts) as Part[];

/** Values of the form's fields, addresses with one line each. */
export type Values = Partial<Record<DetailField, string>>;

const textOf = (organisation: Organisation, field: DetailField): string => {
  const value = organisation[field];
  return typeof value === 'string' ? value : value.join('\n');
};
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');
const isLines = (field: DetailField): field is 'postalAddress' | 'billingAddress' => questions[field].type === 'lines';
/** Returns a typed text as it would be stored. */
const kept = (field: DetailField, text: string): string => (isLines(field) ? linesOf(text).join('\n') : text.trim());

export const valuesOf = (part: Part, organisation: Organisation): Values =>
  Object.fromEntries(parts[part].fields.map(field => [field, textOf(organisation, field)]));

/** The fields of a part whose value differs from what is registered. */
export const changedFields = (part: Part, before: Organisation, values: Values): DetailField[] =>
  parts[part].fields.filter(field => kept(field, values[field] ?? '') !== textOf(before, field));

/** The body of the call that saves a part: what differs, nothing else. */
export const updateOf = (part: Part, before: Organisation, values: Values): OrganisationUpdate => ({
  version: before.version,
  ...Object.fromEntries(
    changedFields(part, before, values).map(field => [field, isLines(field) ? linesOf(values[field] ?? '') : (values[field] ?? '').trim()]),
  ),
});

/** Applies the entered values to the organisation as others have saved it. */
export const rebased = (part: Part, before: Organisation, values: Values, now: Organisation): Values => {
  const mine = new Set(changedFields(part, before, values));
  return Object.fromEntries(parts[part].fields.map(field => [field, mine.has(field) ? (values[field] ?? '') : textOf(now, field)]));
};

/** Before and after of each field that differs between two states of a part. */
export const differences = (part: Part, before: Organisation, after: Values): { label: string; before: string; after: string }[] =>
  changedFields(part, before, after).map(field => ({
    label: questions[field].label,
    before: textOf(before, field),
    after: kept(field, after[field] ?? ''),
  }));
