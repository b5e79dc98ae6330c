import type { Life } from './life.ts';
import { requestLife } from './requests/life.ts';

/** Every life: how cases of each kind move from state to state. Drawn in docs/generated/lives.md, and compared with the database. */
export const lives: readonly Life[] = [requestLife];
