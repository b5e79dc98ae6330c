import * as z from 'zod/mini';
import type { Endpoint } from './endpoint.ts';

/** The field that makes a call a dry run. It defaults to a dry run: a change is made only if the caller says so. */
export const DryRun = z._default(z.boolean(), true);

/**
 * Returns an endpoint as it applies to a dry run, which changes nothing and requires of its caller what a read does. The server admits dry runs by
 * it, and pages use it for their dry run button.
 */
export const rehearsalOf = <Called extends Pick<Endpoint, 'effect'>>(endpoint: Called): Called => ({ ...endpoint, effect: 'reading' });
