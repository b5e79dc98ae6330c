import { ProfileError } from './profile-error.ts';

/**
 * Takes note of a form that the RFCs allow, or that relying parties take, and that this library does not write: another order of a list, say.
 * @param words one sentence that names it
 */
export type Deviation = (words: string) => void;

/** For what we sign ourselves: nothing but our own form passes, which every validator takes. */
export const refuseDeviations: Deviation = words => {
  throw new ProfileError(words);
};
