import { copiedText, copiedTextWithDummies, parseObject } from '@portal/rpsl';
import type { Profile } from '../../../profile.ts';

/** How dumps and mirrors treat persons: left out, replaced by a dummy, or shown. */
type PersonalData = Profile['dumpPersonalData'];

/** Objects that are read together where many are: each may have 200,000 characters. */
export const OBJECTS_AT_ONCE = 50;

/**
 * An object as dumps and mirrors have it: values from column 17, never what is private or opens a maintainer, personal data by the registry profile. Null
 * when it is left out. The same for both, and for every version of an object (draft-ietf-grow-nrtm-v4, 4.3.4).
 */
export function publicCopy(text: string, personal: PersonalData): string | null {
  if (personal === 'dummy') return copiedTextWithDummies(text);
  return personal === 'omit' && parseObject(text).object?.class === 'person' ? null : copiedText(text);
}
