import { DAY_MS } from '@portal/contract/days';
import type { Attention } from '@portal/contract/home/home';
import type { AttentionSubject } from '../../platform/attention.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { consentsToAnswer } from './updates/consents.ts';
import { mailboxesOf } from './irt/irt-mailboxes.ts';

const MAX = 4;
const URGENT_MS = 14 * DAY_MS;

/** Says what follows when a mailbox isn't validated by its due date, which the home page shows beside it in the reader's time zone. */
function unlessValidated(invalidAt: string | null, restrictedAt: string | null): string | null {
  if (invalidAt === null && restrictedAt === null) return null;
  if (restrictedAt === null) return 'Without an answer it’s marked invalid in whois.';
  if (invalidAt === null) return 'Without an answer the account can’t change whois objects.';
  const days = Math.round((Date.parse(restrictedAt) - Date.parse(invalidAt)) / DAY_MS);
  return `Without an answer it’s marked invalid in whois, and ${days} ${days === 1 ? 'day' : 'days'} later the account can’t change whois objects.`;
}

/** Abuse mailboxes that lapse, with the dates, and other holders' updates that wait for the consent of the caller's maintainers. */
export async function whoisAttention(subject: AttentionSubject, { config }: Pick<ModuleContext, 'config'>): Promise<Attention[]> {
  const { read, account, now } = subject;
  if (account.asStaff) return [];
  const [rows, toAnswer] = await Promise.all([mailboxesOf(read, account.accountName, { config, now }), consentsToAnswer(read, account)]);
  const waiting = rows.filter(({ state, askedAt }) => state !== 'valid' && (askedAt !== null || state === 'restricted'));
  // One answer validates a mailbox wherever it is named: as both mailboxes of an irt, or in several.
  const lapsing = [...Map.groupBy(waiting, ({ mailbox }) => mailbox).values()].map(
    same => same.toSorted((a, b) => (a.invalidAt ?? a.restrictedAt ?? '').localeCompare(b.invalidAt ?? b.restrictedAt ?? ''))[0]!,
  );
  const validation = { label: 'Validate', link: '/admin/irt-validation' };
  const mailboxes = lapsing.slice(0, MAX).map(({ irt, mailbox, state, invalidAt, restrictedAt }): Attention => {
    const due = invalidAt ?? restrictedAt;
    const effects = [
      state === 'restricted' ? 'The account can’t change whois objects until it’s validated.' : null,
      state === 'undeliverable' ? 'Our e-mail to it is refused.' : null,
      unlessValidated(invalidAt, restrictedAt),
    ];
    return {
      attentionId: `irt-${irt}-${mailbox}`,
      urgency: state !== 'pending' || (due !== null && Date.parse(due) - now.getTime() < URGENT_MS) ? 'urgent' : 'soon',
      due,
      title: `Validate the abuse mailbox ${mailbox}`,
      detail: effects.filter(effect => effect !== null).join(' '),
      action: validation,
      forWhom: 'account',
    };
  });
  const more = lapsing.length - mailboxes.length;
  if (more > 0)
    mailboxes.push({
      attentionId: 'irt-more',
      urgency: 'soon',
      due: null,
      title: more === 1 ? 'One more abuse mailbox to validate' : `${more} more abuse mailboxes to validate`,
      detail: 'Mailboxes that aren’t validated are marked invalid in whois.',
      action: validation,
      forWhom: 'account',
    });
  const consents = toAnswer.slice(0, MAX).map(
    (consent): Attention => ({
      attentionId: `consent-${consent.consentId}`,
      urgency: 'soon',
      due: consent.dueAt,
      title: `${consent.accountName} asks for your consent`,
      detail: `For ${consent.objects.map(object => object.replace(/(\/\d{1,3})(AS\d+)$/, '$1 $2')).join(', ')}. Without an answer it expires.`,
      action: { label: 'Review', link: '/resources/whois-updates-js/all?view=consents' },
      forWhom: 'account',
    }),
  );
  return [...mailboxes, ...consents];
}
