import type { Email } from 'postal-mime';

/** The value of a header of a mail; empty without it. */
export const headerOf = ({ headers }: Email, name: string): string => headers.find(({ key }) => key === name)?.value ?? '';

/** Returns why a mail is ignored because a program sent it, since answering programs causes loops (RFC 3834); null for a person's. */
export function automaticBecause(mail: Email, sender: string | undefined): string | null {
  const header = (name: string): string => headerOf(mail, name).toLowerCase().trim();
  const from = (mail.from && 'address' in mail.from ? mail.from.address : '')?.toLowerCase() ?? '';
  if (sender === '' || header('return-path') === '<>' || /^(mailer-daemon|postmaster)@/.test(from)) return 'it is a bounce';
  if (header('content-type').startsWith('multipart/report')) return 'it is a report of a mail server';
  if (header('auto-submitted') !== '' && !/^no\b/.test(header('auto-submitted'))) return 'it was sent automatically';
  if (/^(bulk|junk|list|auto_reply)/.test(header('precedence')) || header('list-id') !== '') return 'it came from a list';
  const automatic = ['x-autoreply', 'x-autorespond', 'x-auto-response', 'x-loop'].some(name => header(name) !== '');
  return automatic ? 'it was sent automatically' : null;
}
