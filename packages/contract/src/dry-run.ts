import * as z from 'zod/mini';

/** The word of a call that can say what would come of it instead of doing it. Left out it is a rehearsal: a change is made by those alone who say so. */
export const DryRun = z._default(z.boolean(), true);
