import { isEmail } from '../email.ts';
import { delegatingKinds, type FormProblem, type RequestForm, type RequestKind } from './request-form.ts';

/** How numbers appear in whois: the answers of a form for it. */
export const whoisNameFields = [
  'netname',
  'adminContact',
  'techContact',
  'maintainer',
  'abuseMailbox',
] as const satisfies readonly (keyof RequestForm)[];
export type WhoisNameField = (typeof whoisNameFields)[number];

/** Whether the account that sends a form of a kind receives numbers by it. The recipient of a transfer answers with a form of its own. */
export const receivesNumbers = (kind: RequestKind, { incoming }: Pick<RequestForm, 'incoming'>): boolean =>
  delegatingKinds.some(each => each === kind) || (kind === 'transfer' && incoming);

/** Reserved words of the policy language, and prefixes reserved for names of other classes (RFC 2622 section 2). */
const takenWords = new Set(
  'any as-any rs-any peeras and or not atomic from to at action accept announce except refine networks into inbound outbound'.split(' '),
);
const takenBeginning = /^(?:as|rs|rtrs|fltr|prng|irt|org)-/i;
const name = /^[a-z][a-z0-9_-]{0,78}[a-z0-9]$/i;

/**
 * Returns the names of a form that whois would refuse. Whether contacts and maintainer are the account's is checked on the server.
 * @param asNumbers all that is received are AS numbers: the name is an `as-name`
 */
export function problemsOfWhoisNames(form: Pick<RequestForm, WhoisNameField>, { asNumbers }: { asNumbers: boolean }): FormProblem[] {
  const problems: FormProblem[] = [];
  const netname = form.netname.trim();
  if (netname !== '' && (!name.test(netname) || takenWords.has(netname.toLowerCase())))
    problems.push({
      field: 'netname',
      message: takenWords.has(netname.toLowerCase())
        ? `${netname} is a word of the policy language. Enter another name, such as NORTHNET-1`
        : 'Enter a name of letters, digits, - and _ that starts with a letter and ends with a letter or digit, such as NORTHNET-1',
    });
  else if (asNumbers && takenBeginning.test(netname))
    problems.push({
      field: 'netname',
      message: `Names of AS numbers don’t start with ${takenBeginning.exec(netname)![0].toUpperCase()}. Enter one such as NORTHNET-1`,
    });
  const mailbox = form.abuseMailbox.trim();
  if (mailbox !== '' && !isEmail(mailbox))
    problems.push({ field: 'abuseMailbox', message: 'Enter an e-mail address, such as abuse@northnet.example' });
  return problems;
}
