import { invoiceDay } from '@portal/app-kit/words/billing-words';
import type { StaffResourceRequest } from '@portal/contract/requests/desk';
import { planMonths, type RequestForm, requestPaths } from '@portal/contract/requests/request-form';
import type { WhoisNames } from '@portal/contract/requests/requests';
import { formatCount, formatDate, KeyValueList } from '@portal/ui';

type Check = StaffResourceRequest['checks'][number];
const multihomedWords = { now: 'Today', planned: 'Planned', no: 'No' } as const;
const dayWords = (day: string): string => (day === '' ? '' : formatDate(day, invoiceDay, 'day'));

/** How what is received appears in whois: as asked for, else as the account has it. */
function namesOf(form: RequestForm, { defaults }: WhoisNames): [string, string][] {
  const of = (name: keyof WhoisNames['defaults'], none: string): string =>
    form[name] || (defaults[name] ? `${defaults[name]}, the account’s` : none);
  return [
    ['Name in whois', of('netname', '')],
    ['Admin contact', of('adminContact', 'The registry’s, because the account has none')],
    ['Technical contact', of('techContact', 'The registry’s, because the account has none')],
    ['Maintainer', of('maintainer', 'None')],
    ['Abuse mailbox', of('abuseMailbox', 'None')],
  ];
}

/** The answers of a form that hold something. */
function answersOf(kind: StaffResourceRequest['kind'], form: RequestForm, whois: WhoisNames | null): [string, string][] {
  const months = kind === 'ipv4' ? planMonths.ipv4 : planMonths['pre-approval'];
  const rows: [string, string][] = [
    ['Grounds', form.path === '' ? '' : requestPaths[form.path]],
    ['Size', form.length > 0 ? `/${form.length}` : ''],
    ['/24 blocks', form.blocks > 0 ? String(form.blocks) : ''],
    ...form.plan.map(({ purpose, amounts }): [string, string] => [
      purpose || 'Plan',
      amounts.map((amount, index) => `${months[index] === 0 ? 'now' : `${months[index]} months`}: ${formatCount(amount)}`).join(', '),
    ]),
    ['Provider space', form.providerSpace],
    ['Several networks', form.multihomed === '' ? '' : multihomedWords[form.multihomed]],
    [
      'Networks',
      form.neighbours
        .map(({ asn, name }) => `${asn} ${name}`.trim())
        .filter(Boolean)
        .join(', '),
    ],
    ['Customers and sites', form.sites > 0 ? formatCount(form.sites) : ''],
    ['From', dayWords(form.startsOn)],
    ['Until', dayWords(form.endsOn)],
    ['Two bytes', form.twoByte ? 'yes' : ''],
    ['Customer', form.customer],
    ['Resources', form.resources.join(', ')],
    [form.incoming ? 'Comes from' : 'Recipient', form.recipient || form.otherRegistry],
    ['Occasion', form.occasion.charAt(0).toUpperCase() + form.occasion.slice(1)],
    ['Account', form.closeAfter ? 'Closes when the transfer completes' : ''],
    ['Receiving organisation', [form.legalName, form.registrationNumber].filter(Boolean).join(', ')],
    ...(whois ? namesOf(form, whois) : []),
  ];
  return rows.filter(([, value]) => value !== '');
}

/** Checks by the answer they rule. */
const ruledBy: Readonly<Record<string, readonly string[]>> = {
  Grounds: ['critical', 'exchange'],
  Size: ['size', 'limit', 'larger'],
  '/24 blocks': ['blocks', 'need'],
  'Several networks': ['multihomed', 'planned'],
  Networks: ['neighbours', 'participants'],
  'Customers and sites': ['assignments', 'larger'],
  From: ['announce'],
  Until: ['months'],
  'Two bytes': ['two-byte'],
  Resources: ['smallest', 'rest', 'hold', 'unlocked', 'own-lock', 'no-ipv6', 'elsewhere'],
  Recipient: ['recipient'],
  Account: ['closing'],
  'Abuse mailbox': ['abuse-contact'],
};

/** Returns the sender’s answers to what a check rules, in words; empty where the registry finds it out alone. */
export function answersTo({ checkId }: Check, { kind, form, whois, recipientName }: StaffResourceRequest): string {
  // What the account has and the form left as it is was not said.
  const isNamed = recipientName === null && form.abuseMailbox !== '';
  return answersOf(kind, form, isNamed ? whois : null)
    .filter(([label]) => ruledBy[label]?.includes(checkId))
    .map(([label, value]) => (label === 'Networks' || label === 'Size' || label === 'Resources' ? value : `${label}: ${value}`))
    .join('. ');
}

/** The answers of a request. */
export function RequestAnswers({
  kind,
  form,
  whois = null,
  except = [],
}: {
  kind: StaffResourceRequest['kind'];
  form: RequestForm;
  /** Names that the account that receives has for its objects; null where the form is not its own. */
  whois?: WhoisNames | null;
  /** Checks that show the answers they rule themselves. */
  except?: readonly Check[];
}) {
  const answers = answersOf(kind, form, whois).filter(([label]) => !except.some(({ checkId }) => ruledBy[label]?.includes(checkId)));
  return <KeyValueList align="left" items={answers.map(([key, value], index) => ({ key, value, id: `${key}${index}` }))} />;
}
