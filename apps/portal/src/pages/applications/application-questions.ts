import { type ApplicationDraft, type ApplicationStep, businesses } from '@portal/contract/applications/application-form';
import { organisationTypes } from '@portal/contract/organisations/changes';

/** The fields of an application that hold one text. */
export type TextField = Exclude<
  { [Field in keyof ApplicationDraft]: ApplicationDraft[Field] extends string ? Field : never }[keyof ApplicationDraft],
  'membership'
>;

export type Question = {
  label: string;
  /** Some follow the other answers. */
  help?: string | ((draft: ApplicationDraft) => string);
  /** `lines`: an address, a line each; `words`: several sentences. */
  type?: 'email' | 'tel' | 'url' | 'lines' | 'words';
  most: number;
  options?: readonly string[];
};

/** Questions by field; the economy and the account name have inputs of their own. */
export const questions = {
  orgName: { label: 'Legal name', help: 'As in the public company register.', most: 255 },
  economy: { label: 'Economy', help: 'Where the organisation is registered.', most: 2 },
  organisationType: { label: 'Legal form', most: 40, options: organisationTypes },
  business: { label: 'What the organisation does', most: 40, options: businesses },
  registrationNumber: { label: 'Registration number', help: 'From the company register.', most: 40 },
  tradingName: { label: 'Trading name', most: 255 },
  website: { label: 'Website', help: 'Starts with https:// or http://.', type: 'url', most: 255 },
  postalAddress: { label: 'Street or post box', help: 'Registered address, up to four lines.', type: 'lines', most: 410 },
  city: { label: 'City', most: 100 },
  region: { label: 'State or region', most: 100 },
  postcode: { label: 'Postcode', most: 16 },
  phone: { label: 'Organisation’s telephone', help: 'With the country code.', type: 'tel', most: 40 },
  abuseEmail: { label: 'E-mail for abuse reports', help: 'A mailbox that is read every day.', type: 'email', most: 254 },
  position: { label: 'Your position', help: 'Your role in the organisation.', most: 100 },
  contactPhone: { label: 'Your telephone', type: 'tel', most: 40 },
  accountName: { label: 'Account name', most: 40 },
  networkPlan: {
    label: 'Network plan',
    help: 'Dates, equipment and connections.',
    type: 'words',
    most: 3000,
  },
  billingAddress: {
    label: 'Billing address',
    help: 'Name and full address, up to six lines. Leave empty to use the registered address.',
    type: 'lines',
    most: 610,
  },
  billingEmail: { label: 'E-mail for invoices', type: 'email', most: 254 },
  poNumber: { label: 'Purchase order number', help: 'Shown on invoices.', most: 40 },
  taxId: {
    label: 'Tax number',
    help: ({ economy }) => (economy === 'AU' ? 'The ABN, 11 digits.' : 'Of VAT, GST or a similar tax.'),
    most: 40,
  },
} as const satisfies Record<TextField, Question>;

/** The plain fields of each step, in their order. */
export const fieldsOf = {
  organisation: [
    'orgName',
    'economy',
    'organisationType',
    'business',
    'registrationNumber',
    'tradingName',
    'website',
    'postalAddress',
    'city',
    'region',
    'postcode',
    'phone',
    'abuseEmail',
  ],
  contacts: ['position', 'contactPhone'],
  membership: ['accountName'],
  resources: ['networkPlan'],
  billing: ['billingAddress', 'billingEmail', 'poNumber', 'taxId'],
  documents: [],
  review: [],
} as const satisfies Record<ApplicationStep, readonly TextField[]>;

/** Public webmail hosts: the registry expects corporate contacts to have an address of the organisation. */
const webmail = /@(gmail|googlemail|yahoo|hotmail|outlook|live|icloud|aol|gmx|proton|protonmail|qq|163|126|naver|mail)\.[a-z.]+$/i;
export const isWebmail = (email: string): boolean => webmail.test(email.trim());

const contacts = ['billingContact', 'technicalContact'] as const;
const contactFields = ['fullName', 'email', 'emailAgain', 'phone'] as const;
/** The fields that aren't single texts: those of the other contacts, and the files. */
export type FieldInside = `${(typeof contacts)[number]}.${(typeof contactFields)[number]}` | 'documents';
export const fieldsInside: readonly FieldInside[] = [
  ...contacts.flatMap(contact => contactFields.map((field): FieldInside => `${contact}.${field}`)),
  'documents',
];
export type StepField = keyof ApplicationDraft | FieldInside;
