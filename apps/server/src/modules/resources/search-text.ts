import { type NumberResource, parseResource, readResource, ResourceSyntaxError } from '@portal/number-resources';

/**
 * Returns the number resource typed into a search field, or null. Host bits are ignored: an address with a length stands for its prefix. Full-width
 * digits, quotes and the like are normalised.
 */
export function searchedResource(text: string): NumberResource | null {
  try {
    return readResource(text);
  } catch (error) {
    if (!(error instanceof ResourceSyntaxError)) throw error;
    return error.code === 'HOST_BITS_SET' && error.suggestion !== undefined ? parseResource(error.suggestion) : null;
  }
}
