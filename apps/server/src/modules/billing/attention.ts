import { payableStates } from '@portal/contract/billing/life';
import { DAY_MS, utcDay } from '@portal/contract/days';
import type { Attention } from '@portal/contract/home/home';
import { type AttentionSubject, dayInWords } from '../../platform/attention.ts';
import { accountNamed } from '../accounts/index.ts';
import { balanceOf } from './invoices/invoice-content.ts';

const NOTICE_DAYS = 60;
const URGENT_DAYS = 14;
const page = '/member-account-settings/billing';

/**
 * A suspension, invoices to pay, and the end of the term. Every contact sees that the account is suspended or that its term ends; only contacts who
 * may view billing see what is due.
 */
export async function billingAttention({ read, account, now }: AttentionSubject): Promise<Attention[]> {
  const sees = account.permissions.has('member-billing-view');
  const action = sees ? { label: 'Open billing', link: page } : null;
  const { accountName, expiryDate } = await accountNamed(read, account.accountName);
  const list: Attention[] = [];
  if (account.accountStatus === 'suspended')
    list.push({
      attentionId: 'account-suspended',
      urgency: 'urgent',
      due: null,
      title: `${accountName} is suspended`,
      detail: 'The renewal is unpaid. Resources stay registered. Requests and transfers are on hold until it’s paid.',
      action,
      forWhom: 'account',
    });
  const today = utcDay(now);
  const open = sees
    ? await read
        .selectFrom('invoice')
        .select(['number', 'dueOn', 'currency', 'total', 'paid', 'credited', 'writtenOff'])
        .where('accountName', '=', accountName)
        .where('state', 'in', payableStates)
        .orderBy('dueOn')
        .limit(5)
        .execute()
    : [];
  for (const { number, dueOn, currency, ...settled } of open) {
    const late = dueOn < today;
    const days = Math.ceil((Date.parse(dueOn) - now.getTime()) / DAY_MS);
    list.push({
      attentionId: `invoice-${number}`,
      urgency: late || days <= URGENT_DAYS ? 'urgent' : 'soon',
      due: dueOn,
      title: `Invoice ${number} ${late ? 'is overdue' : `is due on ${dayInWords(dueOn)}`}`,
      detail: `${currency} ${balanceOf(settled)} to pay${late ? `. It was due on ${dayInWords(dueOn)}.` : '.'}`,
      action: { label: 'How to pay', link: page },
      forWhom: 'account',
    });
  }
  if (expiryDate && account.accountStatus === 'open' && open.length === 0) {
    const days = Math.ceil((Date.parse(expiryDate) - now.getTime()) / DAY_MS);
    if (days <= NOTICE_DAYS)
      list.push({
        attentionId: 'membership-expiring',
        urgency: days <= URGENT_DAYS ? 'urgent' : 'soon',
        due: expiryDate,
        title: `The membership term ${days < 0 ? 'ended' : 'ends'} on ${dayInWords(expiryDate)}`,
        detail: 'It renews for one year when the renewal invoice is paid.',
        action,
        forWhom: 'account',
      });
  }
  return list;
}
