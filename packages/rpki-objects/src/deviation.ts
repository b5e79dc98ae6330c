import { ProfileError } from './profile-error.ts';

/**
 * What becomes of a form that the RFCs allow, or that relying parties take, and that this library does not write: order of lists and extensions, say.
 * @param words one sentence that names it
 */
export type Deviation = (words: string) => void;

/** For what we sign ourselves: nothing but our own form passes, which every validator takes. */
export const refuseDeviations: Deviation = words => {
  throw new ProfileError(words);
};
