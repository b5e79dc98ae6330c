import { holdDays, restrictionNoticeDays } from '@portal/contract/restraints/restraints';
import type { IconName } from '@portal/ui';

/** An act on an account, milder first. `suspend` is billing’s, and no one’s choice here. */
export const actKinds = ['contact', 'hold', 'restrict', 'suspend'] as const;
export type ActKind = (typeof actKinds)[number];

export const actNames: Readonly<Record<ActKind, { name: string; about: string }>> = {
  contact: { name: 'Contact', about: 'Ask first' },
  hold: { name: 'Hold', about: 'No holdings move' },
  restrict: { name: 'Restrict', about: 'And nothing changes' },
  suspend: { name: 'Suspend', about: 'For unpaid fees alone' },
};

/** Effect of an act on one thing: it goes on, waits, stops, or isn’t concerned. */
type Mark = 'yes' | 'waits' | 'no' | 'none';
export type Fact = { mark: Mark | null; words: string };

export const markIcons: Readonly<Record<Mark, IconName>> = { yes: 'check', waits: 'clock', no: 'invalid', none: 'more' };

const yes = (words: string): Fact => ({ mark: 'yes', words });
const waits = (words: string): Fact => ({ mark: 'waits', words });
const no = (words: string): Fact => ({ mark: 'no', words });
const none = (words: string): Fact => ({ mark: 'none', words });
const said = (words: string): Fact => ({ mark: null, words });

/** Each thing with the effect of every act on it. */
export const matrix: readonly { about: string; facts: Readonly<Record<ActKind, Fact>> }[] = [
  {
    about: 'Sign-in, tickets, invoices',
    facts: { contact: yes('As usual'), hold: yes('As usual'), restrict: yes('As usual'), suspend: yes('As usual') },
  },
  {
    about: 'Requests and transfers',
    facts: {
      contact: yes('As usual'),
      hold: no('Stopped, open ones wait'),
      restrict: no('Stopped, open ones wait'),
      suspend: no('Nothing is received, open ones wait'),
    },
  },
  {
    about: 'Whois objects, routes, ROAs, reverse DNS',
    facts: {
      contact: yes('As usual'),
      hold: yes('As usual'),
      restrict: waits('Stay as they are'),
      suspend: waits('Stay, ROAs end on a day'),
    },
  },
  {
    about: 'Votes',
    facts: { contact: yes('As usual'), hold: yes('As usual'), restrict: yes('As usual'), suspend: no('None') },
  },
  {
    about: 'Fee',
    facts: {
      contact: none('No effect'),
      hold: none('No effect'),
      restrict: none('No effect'),
      suspend: waits('Unpaid'),
    },
  },
  {
    about: 'Member is notified',
    facts: {
      contact: yes('By you'),
      hold: yes('Immediately, by e-mail'),
      restrict: yes(`${restrictionNoticeDays} days before; a hijack immediately`),
      suspend: yes('By reminders'),
    },
  },
  {
    about: 'Who decides',
    facts: {
      contact: said('You'),
      hold: said(`You, for up to ${holdDays} days`),
      restrict: said('You and a second person'),
      suspend: said('Billing, automatically'),
    },
  },
  {
    about: 'To undo',
    facts: { contact: said('Not needed'), hold: said('One person'), restrict: said('One person'), suspend: said('Payment') },
  },
];
