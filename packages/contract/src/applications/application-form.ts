import * as z from 'zod/mini';
import { Email } from '../email.ts';
import { oneLine, PersonName } from '../one-line.ts';
import { LegalName, organisationTypes, RegistrationNumber } from '../organisations/changes.ts';
import { organisationDetails } from '../organisations/organisations.ts';
import { PhoneNumber } from '../phone.ts';
import { resourceKinds } from '../resources/resource-kinds.ts';
import { severalLines } from '../several-lines.ts';

/** Kinds of business; some pay other fees. */
export const businesses = [
  'internet service provider',
  'enterprise',
  'government',
  'education',
  'internet exchange point',
  'critical infrastructure',
  'data centre or hosting',
  'individual',
  'other',
] as const;

/** `member` votes and pays the member fee; `non-member` holds resources and does not vote. */
export const membershipKinds = ['member', 'non-member'] as const;

/** The steps of a membership application in their order. */
export const applicationSteps = {
  organisation: 'Organisation',
  contacts: 'Contacts',
  membership: 'Membership',
  resources: 'Resources',
  billing: 'Billing',
  documents: 'Documents',
  review: 'Review',
} as const;
export type ApplicationStep = keyof typeof applicationSteps;
export const applicationStepNames = Object.keys(applicationSteps) as [ApplicationStep, ...ApplicationStep[]];

/** Unfinished text: any characters a database can store, not yet validated. */
const typed = (most: number) =>
  z._default(
    z
      .string()
      .check(z.maxLength(most, { error: `Enter at most ${most} characters` }), z.regex(/^[^\0]*$/, { error: 'Remove the NUL character' })),
    '',
  );

const contactDraft = z.object({
  /** The applicant is this contact too. */
  same: z._default(z.boolean(), true),
  fullName: typed(200),
  email: typed(254),
  emailAgain: typed(254),
  phone: typed(40),
});
const noOtherContact = { same: true, fullName: '', email: '', emailAgain: '', phone: '' };

/** A membership application while it is written: everything may be missing. The applicant becomes the corporate contact. */
export const ApplicationDraft = z.object({
  orgName: typed(300),
  economy: typed(2),
  organisationType: typed(40),
  business: typed(40),
  registrationNumber: typed(60),
  tradingName: typed(300),
  website: typed(300),
  /** Lines of the address, as typed. */
  postalAddress: typed(600),
  city: typed(120),
  region: typed(120),
  postcode: typed(40),
  phone: typed(60),
  abuseEmail: typed(260),
  /** The applicant's position; they become the corporate contact. */
  position: typed(120),
  contactPhone: typed(60),
  billingContact: z._default(contactDraft, noOtherContact),
  technicalContact: z._default(contactDraft, noOtherContact),
  membership: z._default(z.enum(membershipKinds), 'member'),
  accountName: typed(60),
  resources: z._default(z.array(z.enum(resourceKinds)).check(z.maxLength(resourceKinds.length)), []),
  /** When the network is built, with which equipment, and how it is connected. */
  networkPlan: typed(4000),
  /** Empty if it is the postal address. */
  billingAddress: typed(700),
  billingEmail: typed(260),
  poNumber: typed(60),
  taxId: typed(60),
});
export type ApplicationDraft = z.infer<typeof ApplicationDraft>;
export type ApplicationField = keyof ApplicationDraft;
export const emptyApplication: ApplicationDraft = z.parse(ApplicationDraft, {});

/** One invalid field, its step, and the message that says what would be right. */
export type ApplicationProblem = { step: ApplicationStep; field: string; message: string };

/** The lines of an address as it was typed; empty ones do not count. */
export const addressLinesOf = (text: string): string[] =>
  text
    .split(/\r\n?|\n/)
    .map(line => line.trim())
    .filter(line => line !== '');

/**
 * `NAME-CC`: upper-case letters, digits and hyphens, 4 to 40 characters, ended by the economy of the organisation.
 */
export const AccountName = z.string().check(
  z.trim(),
  z.toUpperCase(),
  z.regex(/^(?=.{4,40}$)[A-Z][A-Z0-9]*(-[A-Z0-9]+)*-[A-Z]{2}$/, {
    error: 'Enter letters, digits and hyphens ending in the economy, at most 40 characters, such as EXAMPLE-AU',
  }),
);

const problemOf = (schema: z.core.$ZodType, value: unknown): string | null => {
  const result = z.safeParse(schema, value);
  return result.success ? null : result.error.issues[0]!.message;
};
const needed = (words: string, schema: z.core.$ZodType, value: string): string | null =>
  value.trim() === '' ? words : problemOf(schema, value);

/** The example of the general message is a number of one country; applicants are of any. */
const phoneProblem = (words: string, phone: string): string | null =>
  needed(words, PhoneNumber, phone)?.replace(/, such as .*/, ' with its country code: a plus, digits and blanks') ?? null;

type FindProblem = (draft: ApplicationDraft) => string | null;
type Rule = { step: ApplicationStep; field: string; findProblem: FindProblem };

const contactRules = (which: 'billingContact' | 'technicalContact', called: string): Rule[] => {
  const rule = (field: string, findProblem: (contact: ApplicationDraft['billingContact']) => string | null): Rule => ({
    step: 'contacts',
    field: `${which}.${field}`,
    findProblem: draft => (draft[which].same ? null : findProblem(draft[which])),
  });
  return [
    rule('fullName', ({ fullName }) => needed(`Enter the full name of the ${called} contact`, PersonName, fullName)),
    rule('email', ({ email }) => needed(`Enter the e-mail address of the ${called} contact`, Email, email)),
    rule('emailAgain', ({ email, emailAgain }) =>
      email.trim().toLowerCase() === emailAgain.trim().toLowerCase() ? null : 'Enter the same e-mail address twice',
    ),
    rule('phone', ({ phone }) => (phone.trim() === '' ? null : phoneProblem('', phone))),
  ];
};

const numberIsOptional = ({ business }: ApplicationDraft): boolean => business === 'individual';
const plain = (step: ApplicationStep, field: ApplicationField, findProblem: FindProblem): Rule => ({ step, field, findProblem });

const rules: readonly Rule[] = [
  plain('organisation', 'orgName', ({ orgName }) => problemOf(LegalName, orgName)),
  plain('organisation', 'economy', ({ economy }) => (/^[A-Z]{2}$/.test(economy) ? null : 'Choose the organisation’s economy')),
  plain('organisation', 'organisationType', ({ organisationType }) =>
    problemOf(z.enum(organisationTypes, { error: 'Choose the organisation’s legal form' }), organisationType),
  ),
  plain('organisation', 'business', ({ business }) =>
    problemOf(z.enum(businesses, { error: 'Choose what the organisation does' }), business),
  ),
  plain('organisation', 'registrationNumber', draft =>
    draft.registrationNumber.trim() === '' && numberIsOptional(draft) ? null : problemOf(RegistrationNumber, draft.registrationNumber),
  ),
  plain('organisation', 'tradingName', ({ tradingName }) => problemOf(oneLine(255), tradingName)),
  plain('organisation', 'website', ({ website }) => problemOf(organisationDetails.website, website)),
  plain('organisation', 'postalAddress', ({ postalAddress }) =>
    problemOf(organisationDetails.postalAddress, addressLinesOf(postalAddress)),
  ),
  plain('organisation', 'city', ({ city }) => needed('Enter the city', organisationDetails.city, city)),
  plain('organisation', 'region', ({ region }) => problemOf(organisationDetails.region, region)),
  plain('organisation', 'postcode', ({ postcode }) => problemOf(organisationDetails.postcode, postcode)),
  plain('organisation', 'phone', ({ phone }) => phoneProblem('Enter the organisation’s telephone number with its country code', phone)),
  plain('organisation', 'abuseEmail', ({ abuseEmail }) => needed('Enter an e-mail address for abuse reports', Email, abuseEmail)),
  plain('contacts', 'position', ({ position }) => needed('Enter your position, such as Network manager', oneLine(100), position)),
  plain('contacts', 'contactPhone', ({ contactPhone }) => phoneProblem('Enter your telephone number with its country code', contactPhone)),
  ...contactRules('billingContact', 'billing'),
  ...contactRules('technicalContact', 'technical'),
  plain('membership', 'accountName', ({ accountName, economy }) => {
    const problem = problemOf(AccountName, accountName);
    const hasEconomy = /^[A-Z]{2}$/.test(economy);
    if (problem !== null) return hasEconomy ? problem.replace(/-AU$/, `-${economy}`) : problem;
    if (!hasEconomy || accountName.trim().toUpperCase().endsWith(`-${economy}`)) return null;
    return `End the account name with -${economy}`;
  }),
  plain('resources', 'networkPlan', ({ resources, networkPlan }) =>
    resources.length > 0 && networkPlan.trim() === ''
      ? 'Enter the network plan: dates, equipment and connections'
      : problemOf(severalLines(3000), networkPlan),
  ),
  plain('billing', 'billingAddress', ({ billingAddress }) => problemOf(organisationDetails.billingAddress, addressLinesOf(billingAddress))),
  plain('billing', 'billingEmail', ({ billingEmail }) => needed('Enter an e-mail address for invoices', Email, billingEmail)),
  plain('billing', 'poNumber', ({ poNumber }) => problemOf(organisationDetails.poNumber, poNumber)),
  plain('billing', 'taxId', ({ taxId, economy }) => {
    if (taxId.trim() === '') return null;
    if (economy === 'AU' && !/^\d{11}$/.test(taxId.replaceAll(/\s/g, ''))) return 'Enter the 11-digit Australian Business Number';
    return problemOf(oneLine(40), taxId);
  }),
];

/** Returns whether a field may stay empty beside the other answers: a network plan may until resources are chosen. */
export const isOptionalIn = (draft: ApplicationDraft, field: ApplicationField): boolean =>
  rules.every(rule => rule.field !== field || rule.findProblem({ ...draft, [field]: '' }) === null);

/**
 * Returns everything that is wrong with an application, in the order of the form; empty if it can be submitted. Used by the page and the
 * registry.
 * @param papers number of its documents: at least one must prove that the organisation exists
 */
export function problemsOfApplication(draft: ApplicationDraft, papers: number): ApplicationProblem[] {
  const wrong = rules.flatMap(({ step, field, findProblem }): ApplicationProblem[] => {
    const message = findProblem(draft);
    return message === null ? [] : [{ step, field, message }];
  });
  if (papers > 0) return wrong;
  return [...wrong, { step: 'documents', field: 'documents', message: 'Add the certificate of incorporation or an equivalent document' }];
}
