import { type NumberResource, parseResource, readResource, ResourceSyntaxError } from '@portal/number-resources';

/**
 * The number resource somebody types into a search field; null when the text is none. Host bits that are set are taken for the prefix
 * around them: an address with a length is looked for by what holds it. Full-width digits, quotes and the like are tidied away.
 */
export function soughtResource(text: string): NumberResource | null {
  try {
    return readResource(text);
  } catch (error) {
    if (!(error instanceof ResourceSyntaxError)) throw error;
    return error.code === 'HOST_BITS_SET' && error.suggestion !== undefined ? parseResource(error.suggestion) : null;
  }
}
