import { findPage, type PageName, type PageOf, pages, type SitePage } from '@portal/contract/pages';
import { firstReadsOf, requestReads } from '../first/reads-ahead.ts';
import { refusedBy } from '../page/refusal.ts';
import { savesData } from '../first/connection.ts';
import type { SessionMessage } from './frame-kit.ts';

type Options = {
  session: () => SessionMessage | null;
  token: () => string | null;
  /** Whether this document has read an address. */
  hasRead: (url: string) => boolean;
};

/** Requests reads of pages before they are shown. */
export function frameReads({ session, token, hasRead }: Options) {
  const foundAt = (path: string) => findPage(path, session()?.environment.product ?? '');
  /** Returns the first reads of a page that was not read yet; none of a page that is refused to the person. */
  const unreadOf = (name: PageName): string[] => {
    const account = session()?.account?.accountName;
    if (account === undefined || refusedBy(pages[name], session())) return [];
    return firstReadsOf(name, account).filter(path => !hasRead(path));
  };
  return {
    /** Requests the first reads of a page that is about to be shown, before its code has arrived. */
    ahead(href: string): void {
      const bearer = token();
      if (bearer && !savesData()) requestReads(unreadOf(foundAt(href).name), bearer);
    },
    /** Requests, in one call, the first reads of the neighbouring pages in the navigation: one of them is usually opened next. */
    async beside(path: string, all: readonly PageOf<'resource-manager'>[]): Promise<void> {
      const bearer = token();
      const { page } = foundAt(path);
      if (bearer) requestReads(all.filter(name => standsBeside(pages[name], page)).flatMap(unreadOf), bearer, true);
    },
  };
}

/** Returns whether two pages are in the same part of the navigation. */
export const standsBeside = (one: SitePage, other: SitePage): boolean => one.nav !== undefined && one.nav[1] === other.nav?.[1];
