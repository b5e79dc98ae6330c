import type { ReadMail } from './mail-reading-thread.ts';

type Headers = Pick<ReadMail, 'headers'>;

/** The value of a header of a mail; empty without it. */
export const headerOf = ({ headers }: Headers, name: string): string => headers.find(({ key }) => key === name)?.value ?? '';

/** Returns why a mail is ignored because a program sent it, since answering programs causes loops (RFC 3834); null for a person's. */
export function automaticBecause(mail: Pick<ReadMail, 'headers' | 'from'>, sender: string | undefined): string | null {
  const header = (name: string): string => headerOf(mail, name).toLowerCase().trim();
  if (sender === '' || header('return-path') === '<>' || /^(mailer-daemon|postmaster)@/.test(mail.from ?? '')) return 'it is a bounce';
  if (header('content-type').startsWith('multipart/report')) return 'it is a report of a mail server';
  if (header('auto-submitted') !== '' && !/^no\b/.test(header('auto-submitted'))) return 'it was sent automatically';
  if (/^(bulk|junk|list|auto_reply)/.test(header('precedence')) || header('list-id') !== '') return 'it came from a list';
  const automatic = ['x-autoreply', 'x-autorespond', 'x-auto-response', 'x-loop'].some(name => header(name) !== '');
  return automatic ? 'it was sent automatically' : null;
}

/** Whether a mail is from its sender, by what the mail server found. `failed`: it is not; `unknown`: no one can say. */
export type SenderVerdict = 'verified' | 'failed' | 'unknown';

/** Takes quoted strings and comments out, which may hold any text, such as other results. */
function withoutRemarks(value: string): string {
  let [left, before] = [value.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""'), ''];
  while (left !== before) [before, left] = [left, left.replaceAll(/\([^()]*\)/g, ' ')];
  return left;
}

const isOfDomain = (domain: string, of: string): boolean => of.includes('.') && (domain === of || domain.endsWith(`.${of}`));

/**
 * Returns what the mail server found about the sender of a mail (RFC 8601): only the topmost `Authentication-Results` with its own name counts, as senders can
 * write others. DMARC decides; for a domain without a policy a DKIM signature of the domain does, or SPF of its address.
 * @param authserv the name by which the mail server signs its results; empty: it isn't known, so nothing counts @param from the address of the sender
 */
export function senderVerdict({ headers }: Headers, authserv: string, from: string): SenderVerdict {
  if (authserv === '') return 'unknown';
  const own = headers
    .filter(({ key }) => key === 'authentication-results')
    .map(({ value }) => withoutRemarks(value).toLowerCase().split(';'))
    .find(([server = '']) => server.trim().split(/\s+/)[0] === authserv.toLowerCase());
  if (!own) return 'unknown';
  const domain = from.slice(from.lastIndexOf('@') + 1);
  const found = own.slice(1).flatMap(each => {
    const [, method, result] = /^\s*(dmarc|dkim|spf)(?:\s*\/\s*\d+)?\s*=\s*([a-z]+)/.exec(each) ?? [];
    return method === undefined
      ? []
      : [{ method, result, of: /\b(?:header\.d|smtp\.mailfrom)\s*=\s*(?:[^\s@]*@)?([^\s@]+)/.exec(each)?.[1] ?? '' }];
  });
  const has = (method: string, result: string): boolean => found.some(each => each.method === method && each.result === result);
  if (has('dmarc', 'fail')) return 'failed';
  if (has('dmarc', 'pass')) return 'verified';
  const isOwn = found.some(
    ({ method, result, of }) => result === 'pass' && (method === 'dkim' ? isOfDomain(domain, of) : method === 'spf' && of === domain),
  );
  if (isOwn) return 'verified';
  return has('spf', 'fail') && has('dkim', 'fail') && !has('dkim', 'pass') ? 'failed' : 'unknown';
}
