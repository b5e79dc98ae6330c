import type { VotingCode } from './ceremony-tasks.ts';

type Codes = readonly VotingCode[];
export type CredentialMail = {
  title: string;
  electionId: string;
  appUrl: string;
  authority: { fullName: string; email: string };
};

/** Where a code is used: on the page of the account, or of its proxy. */
const pageOf = ({ proxyId }: VotingCode, { electionId, appUrl }: Pick<CredentialMail, 'electionId' | 'appUrl'>): string =>
  proxyId === null ? `${appUrl}/voting/${electionId}/cast` : `${appUrl}/voting/proxy-votes/${proxyId}`;

const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Voting codes for a mail merge, one line for each address (RFC 4180): account, votes, e-mail, code, the page to vote on. */
export const mergeFile = (codes: Codes, mail: Pick<CredentialMail, 'electionId' | 'appUrl'>): string =>
  [
    ['account', 'votes', 'email', 'code', 'page'],
    ...codes.flatMap(each => each.emails.map(email => [each.accountName, `${each.votes}`, email, each.code, pageOf(each, mail)])),
  ]
    .map(line => line.map(field).join(','))
    .join('\r\n')
    .concat('\r\n');

/** A header of a mail in UTF-8 (RFC 2047), in words of at most 75 characters. */
function header(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  const words: string[] = [];
  let part = '';
  for (const character of text) {
    if (new TextEncoder().encode(part + character).length > 42) {
      words.push(part);
      part = '';
    }
    part += character;
  }
  return [...words, part].map(word => `=?UTF-8?B?${base64(word)}?=`).join('\r\n ');
}
const base64 = (text: string): string => btoa(Array.from(new TextEncoder().encode(text), byte => String.fromCharCode(byte)).join(''));
const lines = (text: string): string => base64(text).replaceAll(/.{76}/g, '$&\r\n');

/** One mail for each account as a mailbox (mbox, RFC 4155), which mail programs open and send. */
export const mailboxFile = (codes: Codes, mail: CredentialMail, now: Date): string =>
  codes
    .filter(({ emails }) => emails.length > 0)
    .map(each => {
      const { accountName, votes, emails, code, proxyId } = each;
      const body = `${proxyId === null ? 'Your voting code for' : 'Your voting code as the proxy of'} ${accountName} in “${mail.title}”:

    ${code}

It casts ${votes === 1 ? 'one vote' : `${votes} votes`}, once. Sign in and vote on this page:
${pageOf(each, mail)}

The registry doesn’t know this code, and never asks for it by e-mail or telephone. Don’t pass it on. If you lose it, answer this e-mail.

${mail.authority.fullName}
`;
      return [
        `From ${mail.authority.email} ${now
          .toUTCString()
          .replace(',', '')
          .replace(/^(\w+) (\d+) (\w+) (\d+) ([\d:]+) GMT$/, '$1 $3 $2 $5 $4')}`,
        `From: ${header(mail.authority.fullName)} <${mail.authority.email}>`,
        `To: ${emails.join(', ')}`,
        `Subject: ${header(`Voting code of ${accountName}: ${mail.title}`)}`,
        `Date: ${now.toUTCString().replace('GMT', '+0000')}`,
        'MIME-Version: 1.0',
        'Content-Type: text/plain; charset=utf-8',
        'Content-Transfer-Encoding: base64',
        '',
        lines(body),
        '',
        '',
      ].join('\r\n');
    })
    .join('');
