import type { SitePage } from '@portal/contract/pages';

/** Why a page is not for this kind of account (specification, section 6: navigation filtering); null when it is. */
export function gateOf(
  onlyFor: SitePage['onlyFor'],
  { nir, accountType, accountName }: { nir: boolean; accountType: string; accountName: string },
): string | null {
  if (onlyFor === 'nir' && !nir) return `This is only for national registries. ${accountName} isn’t one.`;
  if (onlyFor === 'regular-or-non-member' && accountType !== 'regular' && accountType !== 'non member')
    return `This is only for regular and non-member accounts. ${accountName} is neither.`;
  return null;
}
