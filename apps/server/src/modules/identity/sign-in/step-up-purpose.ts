import type { StepUpPurpose } from './second-factor-pages.ts';

/** Names, addresses and numbers only: nothing that could pass as our own text or as markup. */
const plain = /^[\p{L}\p{M}\p{N} .,@:/'’_+()&-]{1,80}$/u;

/**
 * Returns what a second factor is asked for by a sign-in request, in the words of the activity log: `purpose` is the id of an endpoint, `purpose_object`
 * what it is done to. Null for a request without a purpose or with an unknown endpoint. The request comes from the browser, so the words are ours and
 * the object is a plain name.
 */
export function purposeOf(params: Record<string, unknown>, actWords: ReadonlyMap<string, string>): StepUpPurpose | null {
  const { purpose, purpose_object: object } = params;
  const words = typeof purpose === 'string' ? actWords.get(purpose) : undefined;
  if (words === undefined) return null;
  return {
    act: words.charAt(0).toLowerCase() + words.slice(1),
    object: typeof object === 'string' && plain.test(object) ? object : null,
  };
}
