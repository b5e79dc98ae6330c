import type { Theme } from '@portal/contract/shell/shell';
import { queryOptions } from '@tanstack/react-query';

/** The theme links of a public JSON file; null when it cannot be had (specification section 7). No bearer is sent: the host may be foreign. */
export async function fetchTheme(
  address: string,
  get: (address: string, init: RequestInit) => Promise<Response> = fetch,
): Promise<Theme | null> {
  try {
    const response = await get(address, { headers: { accept: 'application/json' } });
    return response.ok ? ((await response.json()) as Theme) : null;
  } catch {
    return null;
  }
}

/** The theme links as the memory of answers knows them. */
export const themeReading = (address: string) =>
  queryOptions({ queryKey: ['theme', address], queryFn: () => fetchTheme(address), staleTime: Infinity });
