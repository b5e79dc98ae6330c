import { isOfKind } from '@portal/contract/admission';
import type { SitePage } from '@portal/contract/pages';

/** Why a page is not for this kind of account (specification, section 6: navigation filtering); null when it is. */
export function gateOf(
  onlyFor: SitePage['onlyFor'],
  { nir, accountType, accountName }: { nir: boolean; accountType: string; accountName: string },
): string | null {
  if (onlyFor === undefined || onlyFor === 'staff' || isOfKind(onlyFor, { nir, accountType })) return null;
  if (onlyFor === 'nir') return `This is only for national registries. ${accountName} isn’t one.`;
  return `This is only for regular and non-member accounts. ${accountName} is neither.`;
}
