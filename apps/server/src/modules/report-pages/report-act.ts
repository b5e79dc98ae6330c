import { whoisPermalink } from '@portal/contract/whois/permalink';
import type { NumberResource } from '@portal/number-resources';
import { beginningOf } from '../../platform/beginning-of.ts';
import type { AddressAct } from '../identity/index.ts';
import { findDelegationHolding } from '../resources/index.ts';
import { openOutsideTicket } from '../tickets/index.ts';
import { readQueryKey } from '../whois/index.ts';
import { faults, Report } from './report-form.ts';

/** The numbers that a report is about; null where it is about a name. */
function numbersIn(about: string): NumberResource | null {
  const key = readQueryKey(about);
  if (key.kind === 'addresses') return key.range;
  return key.kind === 'as' ? { family: 'asn', first: key.number, last: key.number } : null;
}

/** Sends a report to the registry once its link is opened: as a ticket of a person without a login. */
export const sendReport: AddressAct = {
  purpose: 'data-report',
  action: 'reportPages.send',
  summary: 'Sent a report of wrong data',
  title: 'Send this report?',
  act: 'Send it to the registry',
  asks: (_read, { asked, email }) => {
    const { about, fault, text, name } = Report.parse(asked);
    const lines = text.split('\n').filter(line => line.trim() !== '');
    return Promise.resolve([`About: ${about}`, `What is wrong: ${faults[fault]}`, ...lines, `From: ${name}, ${email}`]);
  },
  cameFrom: ({ asked }) => {
    const { about } = Report.parse(asked);
    return { href: whoisPermalink(about), name: about };
  },
  run: async (change, { asked, email }) => {
    const { about, fault, text, name } = Report.parse(asked);
    const numbers = numbersIn(about);
    const holding = numbers && (await findDelegationHolding(change, numbers));
    const ticketId = await openOutsideTicket(change, {
      queue: 'resources',
      subject: beginningOf(`Report about ${about}: ${faults[fault]}`, 200),
      text,
      about,
      from: { name, email },
      comment: [
        `A report of wrong data by ${name}, who has no login here. Ask the holder without the person’s name.`,
        holding ? `Held by ${holding.accountName}, in ${holding.resource}.` : 'No account holds it.',
      ].join('\n'),
    });
    return [`Your report is ticket ${ticketId}. We ask the holder, and answer to ${email}.`];
  },
};
