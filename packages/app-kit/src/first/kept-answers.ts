import type { QueryClient } from '@tanstack/react-query';
import { localPreferences } from '../settings/preferences.ts';
import { copiedToken, tabStorage } from '../auth/stored-user.ts';
import { dropPicture } from './shown-picture.ts';
import { dropOpenPages } from './open-pages.ts';
import { answerAge } from '../kit/answer-age.ts';
import { releaseHere } from './release-here.ts';
import { dropReadsAhead } from './reads-ahead.ts';

/**
 * Reads whose answers a tab stores for its next load: those of overviews and lists. No secrets, no invoices, and nothing that fills a form: a form
 * must not start from stale values.
 */
export const keptReads: ReadonlySet<string> = new Set([
  'identity.people.getMe',
  'accounts.listAccounts',
  'shell.getNavigation',
  'announcements.listBanners',
  'home.getHome',
  'home.getNetwork',
  'contacts.listContacts',
  'resources.getSummary',
  'resources.listDelegations',
  'resources.getDelegation',
  'resources.listRegistrations',
  'resources.getAddressMap',
  'resources.getAddressOverview',
  'routes.routedSpace.getRoutedSpace',
  'reverseDns.listZones',
  'tickets.listTickets',
  'whois.listObjects',
  'whois.listMaintainers',
  'whois.consents.listConsents',
]);

type Kept = { userId: string; account: string | null; release: string; entries: { key: unknown[]; data: unknown; at: number }[] };

/** The portal's answers and the frame's are kept apart: each document writes its own. */
const keys = { portal: 'kept-answers:portal', frame: 'kept-answers:frame' } as const;
/** Limits in characters of JSON: of one answer, and of all. Session storage holds five million. */
const most = { one: 150_000, all: 600_000 };

export type KeptAnswers = {
  /** Without a known account, that of the last load counts. Puts what this tab kept of the person and the account into the cache, as old as it is: what a page shows of it is read again behind. Returns the time of the oldest; null when nothing was kept. */
  restore(userId: string, account: string | null): number | null;
  /** Stores the current answers for the next load of this tab. */
  keep(userId: string, account: string | null): void;
};

/** Whether an answer is of this account, or of none. */
const isOf = (account: string | null, key: readonly unknown[]): boolean => {
  const [, input] = key as [string, { account?: unknown; query?: { account?: unknown } } | undefined];
  const of = input?.account ?? input?.query?.account;
  return of === undefined || of === account;
};

/** Removes answers of accounts that are no longer selected, once no page shows them. */
export function forgetOtherAccounts(answers: QueryClient, account: string | null): void {
  dropReadsAhead();
  answers.removeQueries({ type: 'inactive', predicate: ({ queryKey }) => !isOf(account, queryKey) });
}

/** Answers of the last load of this tab, in its session storage: they end with the tab, at sign-out, and with another person or account. */
export function keepAnswers(answers: QueryClient, document: keyof typeof keys, now: () => number = Date.now): KeptAnswers {
  const place = keys[document];
  return {
    restore(userId, account) {
      const kept = read(place);
      if (!kept) return null;
      if (kept.userId !== userId || (account !== null && kept.account !== account)) {
        dropKeptAnswers();
        return null;
      }
      let oldest: number | null = null;
      for (const { key, data, at } of kept.entries) {
        const isRead = typeof key[0] === 'string' && keptReads.has(key[0]);
        if (!isRead || now() - at > answerAge.shown || at > now() || answers.getQueryData(key) !== undefined) continue;
        // Never fresh: who the person is and what they may do is always refetched.
        answers.setQueryData(key, withOwnSettings(key, data), { updatedAt: Math.min(at, now() - answerAge.fresh) });
        oldest = Math.min(oldest ?? at, at);
      }
      return oldest;
    },
    keep(userId, account) {
      // A tab that has signed out stores nothing.
      if (!copiedToken()) return;
      const entries: Kept['entries'] = [];
      let room = most.all;
      for (const { queryKey, state } of answers.getQueryCache().getAll()) {
        if (state.status !== 'success' || !keptReads.has(String(queryKey[0])) || !isOf(account, queryKey)) continue;
        const size = JSON.stringify(state.data ?? null).length;
        if (size > most.one || size > room) continue;
        room -= size;
        entries.push({ key: [...queryKey], data: state.data, at: state.dataUpdatedAt });
      }
      try {
        tabStorage()?.setItem(place, JSON.stringify({ userId, account, release: releaseHere(), entries } satisfies Kept));
      } catch {
        // No storage left: the next load shows skeletons, as without it.
      }
    },
  };
}

/** Settings may have changed since: this device has the current ones. */
function withOwnSettings(key: readonly unknown[], data: unknown): unknown {
  if (key[0] !== 'identity.people.getMe') return data;
  const person = data as { userId: string; preferences?: unknown };
  return { ...person, preferences: localPreferences(person.userId) ?? person.preferences };
}

function read(place: string): Kept | null {
  try {
    const kept = JSON.parse(tabStorage()?.getItem(place) ?? 'null') as Kept | null;
    // Another release may read more in an answer than this one was given.
    return kept?.release === releaseHere() ? kept : null;
  } catch {
    return null;
  }
}

/** Reads that stand beside those, and are repeated by each load: of them, only what they draw stays. */
const shownBeside: ReadonlySet<string> = new Set(['theme', 'status', 'notifications.countUnread', 'tickets.talks.getTalk']);

/**
 * Returns whether what is on the screen now was made of nothing but kept reads, one at least and all of them answered, and of what stands beside them. Not once a
 * change was answered since: it may be shown, such as a secret that is shown once.
 * @param account the account whose page the next load begins with; the page of another one isn't kept
 */
export function showsOnlyKept(answers: QueryClient, account: string | null): boolean {
  if (
    answers
      .getMutationCache()
      .getAll()
      .some(({ state }) => state.data !== undefined && state.data !== null)
  )
    return false;
  const shown = answers
    .getQueryCache()
    .getAll()
    .filter(query => query.getObserversCount() > 0 && !query.isDisabled())
    .filter(({ queryKey: [id] }) => !shownBeside.has(String(id)));
  return (
    shown.length > 0 &&
    shown.every(({ queryKey, state }) => keptReads.has(String(queryKey[0])) && isOf(account, queryKey) && state.data !== undefined)
  );
}

/** Removes the answers of the last load, with its picture. Prefetched ones belong to the bearer who asked, and none else can take them. */
export function dropKeptAnswers(): void {
  dropOpenPages();
  dropPicture();
  for (const place of Object.values(keys)) tabStorage()?.removeItem(place);
}
