import type { NewCredentials } from './ceremony-tasks.ts';

type Codes = NewCredentials['codes'];
export type CredentialMail = {
  title: string;
  electionId: string;
  appUrl: string;
  authority: { fullName: string; email: string };
};

const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Voting codes for a mail merge, one line for each address (RFC 4180): account, votes, e-mail, code, the page to vote on. */
export const mergeFile = (codes: Codes, { electionId, appUrl }: Pick<CredentialMail, 'electionId' | 'appUrl'>): string =>
  [
    ['account', 'votes', 'email', 'code', 'page'],
    ...codes.flatMap(({ accountName, votes, emails, code }) =>
      emails.map(email => [accountName, `${votes}`, email, code, `${appUrl}/voting/${electionId}/cast`]),
    ),
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
    .map(({ accountName, votes, emails, code }) => {
      const body = `Your voting code for ${accountName} in “${mail.title}”:

    ${code}

It casts ${votes === 1 ? 'one vote' : `${votes} votes`}, once. Sign in and vote on this page:
${mail.appUrl}/voting/${mail.electionId}/cast

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
