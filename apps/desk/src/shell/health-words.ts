import type { AccountPicture } from '@portal/contract/staff/account-pictures';

/** A finding about an account: what to look at first. */
export type Finding = {
  subject: string;
  state: 'valid' | 'warning' | 'invalid';
  words: string;
  /** The same in two or three words, for a narrow column with the subject beside it. */
  brief: string;
};
const counted = (count: number, one: string, many: string): string => (count === 1 ? `1 ${one}` : `${count} ${many}`);

/** How the mailboxes do to which abuse is reported. */
function mailboxFinding({ valid, pending, invalid, restricted }: NonNullable<AccountPicture['mailboxes']>): Finding {
  const silent = invalid + restricted;
  const state = restricted > 0 ? 'invalid' : silent > 0 || valid + pending === 0 ? 'warning' : 'valid';
  const words =
    restricted > 0
      ? `${counted(restricted, 'mailbox hasn’t', 'mailboxes haven’t')} answered for 30 days: the account is restricted`
      : silent > 0
        ? `${counted(silent, 'mailbox doesn’t', 'mailboxes don’t')} answer`
        : valid + pending === 0
          ? 'No irt object in whois has a mailbox yet'
          : pending > 0
            ? `${counted(pending, 'mailbox was', 'mailboxes were')} asked and can still answer`
            : `${counted(valid, 'mailbox answers', 'mailboxes answer')}`;
  const brief =
    silent > 0
      ? counted(silent, 'silent', 'silent')
      : valid + pending === 0
        ? 'None in whois yet'
        : pending > 0
          ? `${pending} asked`
          : `${valid} ${valid === 1 ? 'answers' : 'answer'}`;
  return { subject: 'Abuse mailbox', state, words, brief };
}

/** The parts of a picture of an account that show how it does; null where the reader can't open them. */
export type AccountHealth = Pick<AccountPicture, 'routes' | 'zones' | 'contacts' | 'mailboxes'>;

/** How an account does: routes, reverse zones, mailboxes and contacts, each with its state. */
export function findingsOf({ routes, zones, contacts, mailboxes }: AccountHealth): Finding[] {
  const findings: Finding[] = [];
  if (routes) {
    const seen = routes.valid + routes.invalid + routes.notFound;
    findings.push(
      routes.invalid > 0
        ? {
            subject: 'Routes',
            state: 'invalid',
            words: `${counted(routes.invalid, 'route is', 'routes are')} invalid, ${routes.valid} valid`,
            brief: `${routes.invalid} of ${seen} invalid`,
          }
        : seen === 0
          ? { subject: 'Routes', state: 'valid', words: 'No route is announced', brief: 'None announced' }
          : routes.notFound > 0
            ? {
                subject: 'Routes',
                state: 'warning',
                words: `${counted(routes.notFound, 'route has', 'routes have')} no ROA, ${routes.valid} valid`,
                brief: `${routes.notFound} of ${seen} without a ROA`,
              }
            : {
                subject: 'Routes',
                state: 'valid',
                words: `${counted(routes.valid, 'route', 'routes')}, all valid`,
                brief: `All ${routes.valid} valid`,
              },
    );
  }
  if (zones) {
    const { lame, missing, warning, ok, unchecked } = zones;
    const good = ok + warning;
    findings.push(
      lame > 0
        ? {
            subject: 'Reverse DNS',
            state: 'warning',
            words: `${counted(lame, 'zone is', 'zones are')} lame, ${good} answer`,
            brief: `${lame} lame, ${good} answer`,
          }
        : missing > 0
          ? {
              subject: 'Reverse DNS',
              state: 'warning',
              words: `${counted(missing, 'zone has', 'zones have')} no delegation, ${good} answer`,
              brief: `${missing} not delegated`,
            }
          : {
              subject: 'Reverse DNS',
              state: 'valid',
              words: good + unchecked === 0 ? 'No zone is delegated' : `${counted(good, 'zone answers', 'zones answer')}`,
              brief: good + unchecked === 0 ? 'None' : `${good} of ${good + unchecked} answer`,
            },
    );
  }
  if (mailboxes) findings.push(mailboxFinding(mailboxes));
  if (contacts) {
    const now = contacts.filter(({ until }) => until === null);
    const corporate = now.filter(each => each.corporate).length;
    const unprotected = now.filter(({ passwordAlone }) => passwordAlone).length;
    findings.push(
      corporate === 0
        ? { subject: 'Contacts', state: 'invalid', words: 'There is no corporate contact', brief: 'None corporate' }
        : corporate === 1
          ? {
              subject: 'Contacts',
              state: 'warning',
              words: 'Only one corporate contact, who alone can appoint others',
              brief: now.length === 1 ? '1, corporate' : `${now.length}, 1 corporate`,
            }
          : {
              subject: 'Contacts',
              state: 'valid',
              words: `${corporate} corporate contacts`,
              brief: `${now.length}, ${corporate} corporate`,
            },
    );
    findings.push(
      unprotected === 0
        ? {
            subject: 'Two-factor',
            state: 'valid',
            words: now.length === 0 ? 'No contacts' : 'No contact signs in with a password alone',
            brief: now.length === 0 ? 'No contacts' : 'Everyone',
          }
        : {
            subject: 'Two-factor',
            state: 'warning',
            words: `${unprotected} of ${counted(now.length, 'contact', 'contacts')} ${unprotected === 1 ? 'signs' : 'sign'} in with a password alone`,
            brief: `${unprotected} of ${now.length} without`,
          },
    );
  }
  return findings;
}
