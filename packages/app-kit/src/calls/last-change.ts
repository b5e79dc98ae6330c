import type { AnyEndpoint } from '@portal/api-client';
import { createWatched } from '../place/watched.ts';

/** A change that the person made, and the page that showed its result. */
export type LastChange = { page: string; endpoint: AnyEndpoint; input: object };

/** The last change of this tab; null before the first one. */
export const lastChange = createWatched<LastChange | null>(null);
