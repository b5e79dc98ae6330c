import type { Theme as ThemeFile } from '@portal/contract/shell/shell';
import { queryOptions } from '@tanstack/react-query';

/** The theme links of the shell: the file may come from another host, so any part of it may be missing. */
export type Theme = Omit<ThemeFile, 'footerLogo'> & { footerLogo: ThemeFile['footerLogo'] | null };

const isRecord = (given: unknown): given is Record<string, unknown> => typeof given === 'object' && given !== null && !Array.isArray(given);

type Link = ThemeFile['footerLogo'];

/** A link with label and address; null unless it has both. Checked by hand, so that the first screen doesn't load the schema library. */
function linkFrom(given: unknown): Link | null {
  if (!isRecord(given)) return null;
  const { label_en_us, link } = given;
  return typeof label_en_us === 'string' && typeof link === 'string' ? { label_en_us, link } : null;
}

/** The usable links of one part, each with its other fields; empty if the part is missing or not a list. */
const linksOf = <T extends object>(part: unknown, moreOf: (given: Record<string, unknown>) => T | null): (Link & T)[] =>
  (Array.isArray(part) ? part : []).flatMap((given: unknown) => {
    const link = linkFrom(given);
    const more = link && moreOf(given as Record<string, unknown>);
    return link && more ? [{ ...link, ...more }] : [];
  });

const nothingMore = (): object => ({});

/** Returns the usable part of a theme file; null if it is not an object. */
export function themeFrom(given: unknown): Theme | null {
  if (!isRecord(given)) return null;
  return {
    omnibarQuickLinks: linksOf(given['omnibarQuickLinks'], nothingMore),
    omnibarCurrentUserAccountLinks: linksOf(given['omnibarCurrentUserAccountLinks'], nothingMore),
    omnibarCurrentUserMembershipLinks: linksOf(given['omnibarCurrentUserMembershipLinks'], ({ isLogout }) =>
      isLogout === undefined ? {} : typeof isLogout === 'boolean' ? { isLogout } : null,
    ),
    footerLogo: linkFrom(given['footerLogo']),
    footerSocialLinks: linksOf(given['footerSocialLinks'], ({ iconClass }) => (typeof iconClass === 'string' ? { iconClass } : null)),
    footerAsideLinks: linksOf(given['footerAsideLinks'], nothingMore),
  };
}

/** The theme links that the server wrote into the page; undefined if they are in a separate file. */
function themeInPage(): Theme | null | undefined {
  const block = document.getElementById('theme')?.textContent;
  return block ? themeFrom(JSON.parse(block)) : undefined;
}

/** The theme links of a public JSON file; null if it can't be read (specification, section 7). No bearer is sent: the host may be a third party's. */
export async function fetchTheme(
  address: string,
  get: (address: string, init: RequestInit) => Promise<Response> = fetch,
): Promise<Theme | null> {
  try {
    const response = await get(address, { headers: { accept: 'application/json' } });
    return response.ok ? themeFrom(await response.json()) : null;
  } catch {
    return null;
  }
}

/** The theme links as a read of the cache. */
export const themeReading = (address: string) =>
  queryOptions({ queryKey: ['theme', address], queryFn: () => fetchTheme(address), initialData: themeInPage, staleTime: Infinity });
