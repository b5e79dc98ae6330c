import * as z from 'zod/mini';
import type { Endpoint } from './endpoint.ts';

/** The word of a call that can say what would come of it instead of doing it. Left out it is a rehearsal: a change is made by those alone who say so. */
export const DryRun = z._default(z.boolean(), true);

/**
 * Returns an endpoint as it is while it says what would come of a call and changes nothing: it asks of its caller what a read does. The server admits rehearsals by it, and
 * pages ask it about their button for a dry run.
 */
export const rehearsalOf = <Called extends Pick<Endpoint, 'effect'>>(endpoint: Called): Called => ({ ...endpoint, effect: 'reading' });
