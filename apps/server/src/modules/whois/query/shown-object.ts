import type { ClassName } from '@portal/rpsl';

/** An object as answers show it; `shown` is its key for people. `isPublic`: what nobody may see is not in the text any more. */
export type Shown = { objectId: number; class: ClassName; key: string; shown: string; text: string; isPublic?: true };
