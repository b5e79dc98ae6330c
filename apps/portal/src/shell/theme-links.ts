import { Theme as ThemeFile } from '@portal/contract/shell/shell';
import { queryOptions } from '@tanstack/react-query';

/** The theme links as the shell draws them: the file may come from another host, so any part of it may be missing. */
export type Theme = Omit<ThemeFile, 'footerLogo'> & { footerLogo: ThemeFile['footerLogo'] | null };

const isRecord = (given: unknown): given is Record<string, unknown> => typeof given === 'object' && given !== null && !Array.isArray(given);

/** Parses one link: a schema of the contract. */
type Reader<T> = { safeParse(given: unknown): { success: true; data: T } | { success: false } };

/** The links of one part that have the shape the contract asks for; none when the part is missing or no list. */
const linksOf = <T>(part: unknown, { def: { element } }: { def: { element: Reader<T> } }): T[] =>
  (Array.isArray(part) ? part : []).flatMap(link => {
    const read = element.safeParse(link);
    return read.success ? [read.data] : [];
  });

/** Returns the usable part of a theme file; null if it is no object. */
export function themeFrom(given: unknown): Theme | null {
  if (!isRecord(given)) return null;
  const { shape } = ThemeFile;
  return {
    omnibarQuickLinks: linksOf(given['omnibarQuickLinks'], shape.omnibarQuickLinks),
    omnibarCurrentUserAccountLinks: linksOf(given['omnibarCurrentUserAccountLinks'], shape.omnibarCurrentUserAccountLinks),
    omnibarCurrentUserMembershipLinks: linksOf(given['omnibarCurrentUserMembershipLinks'], shape.omnibarCurrentUserMembershipLinks),
    footerLogo: shape.footerLogo.safeParse(given['footerLogo']).data ?? null,
    footerSocialLinks: linksOf(given['footerSocialLinks'], shape.footerSocialLinks),
    footerAsideLinks: linksOf(given['footerAsideLinks'], shape.footerAsideLinks),
  };
}

/** The theme links that the server wrote into the page; undefined where they are a file of their own. */
function themeInPage(): Theme | null | undefined {
  const block = document.getElementById('theme')?.textContent;
  return block ? themeFrom(JSON.parse(block)) : undefined;
}

/** The theme links of a public JSON file; null when it cannot be had (specification, section 7). No bearer is sent: the host may be foreign. */
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

/** The theme links as the memory of answers knows them. */
export const themeReading = (address: string) =>
  queryOptions({ queryKey: ['theme', address], queryFn: () => fetchTheme(address), initialData: themeInPage, staleTime: Infinity });
