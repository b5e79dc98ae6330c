import { type NumberResource, parseResource, readResource, ResourceSyntaxError } from '@portal/number-resources';

/**
 * Returns the number resource typed into a search field; null if the text is none. Host bits are ignored and mean the prefix
 * around them: an address with a length finds what contains it. Full-width digits, quotes and the like are normalised.
 */
export function searchedResource(text: string): NumberResource | null {
  try {
    return readResource(text);
  } catch (error) {
    if (!(error instanceof ResourceSyntaxError)) throw error;
    return error.code === 'HOST_BITS_SET' && error.suggestion !== undefined ? parseResource(error.suggestion) : null;
  }
}
